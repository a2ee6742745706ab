package dev.towtank.controllers.pipelines.source;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A version such as `0.10.1`, as hubs name and compare them.
///
/// @param segments at least three
/// @param suffix what follows them, such as `-rc1`; empty for a release
record HubVersion(List<Long> segments, String suffix) implements Comparable<HubVersion> {

    private static final Pattern FORM =
            Pattern.compile("v?([0-9]{1,18}(?:\\.[0-9]{1,18}){0,9})(?:-?([0-9A-Za-z~][0-9A-Za-z.~-]*))?(?:\\+.*)?");
    private static final int USUAL_SEGMENTS = 3;

    HubVersion {
        segments = List.copyOf(segments);
    }

    static Optional<HubVersion> parse(String text) {
        var form = FORM.matcher(text.strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        var segments = new ArrayList<Long>();
        Arrays.stream(form.group(1).split("\\.", -1)).map(Long::valueOf).forEach(segments::add);
        while (segments.size() < USUAL_SEGMENTS) {
            segments.add(0L);
        }
        return Optional.of(
                new HubVersion(segments, Optional.ofNullable(form.group(2)).orElse("")));
    }

    boolean isPrerelease() {
        return !suffix.isEmpty();
    }

    private long segment(int index) {
        return index < segments.size() ? segments.get(index) : 0;
    }

    @Override
    public int compareTo(HubVersion other) {
        for (int i = 0; i < Math.max(segments.size(), other.segments.size()); i++) {
            int order = Long.compare(segment(i), other.segment(i));
            if (order != 0) {
                return order;
            }
        }
        if (isPrerelease() != other.isPrerelease()) {
            return isPrerelease() ? -1 : 1;
        }
        return suffix.compareTo(other.suffix);
    }

    @Override
    public String toString() {
        var numbers = String.join(".", segments.stream().map(String::valueOf).toList());
        return isPrerelease() ? numbers + "-" + suffix : numbers;
    }

    /// What versions are wanted: `>= 0.7, < 2.0`, `~> 1.2`, or just one.
    record Constraint(List<Rule> rules) {

        private static final Pattern RULE = Pattern.compile("(=|!=|>|<|>=|<=|~>|)\\s*(v?[0-9].*)");

        Constraint {
            rules = List.copyOf(rules);
        }

        /// Empty where the text is none.
        static Optional<Constraint> parse(String text) {
            var rules = new ArrayList<Rule>();
            for (var part : text.split(",", -1)) {
                var form = RULE.matcher(part.strip());
                var version = form.matches() ? HubVersion.parse(form.group(2)) : Optional.<HubVersion>empty();
                if (version.isEmpty()) {
                    return Optional.empty();
                }
                int written = form.group(2).split("[-+]", -1)[0].split("\\.", -1).length;
                rules.add(new Rule(form.group(1), version.get(), written));
            }
            return Optional.of(new Constraint(rules));
        }

        boolean allows(HubVersion version) {
            return rules.stream().allMatch(rule -> rule.allows(version));
        }
    }

    /// @param written how many segments of the wanted version were written
    record Rule(String operator, HubVersion wanted, int written) {

        boolean allows(HubVersion version) {
            int order = version.compareTo(wanted);
            return switch (operator) {
                case "", "=" -> order == 0;
                case "!=" -> order != 0;
                case ">" -> order > 0 && isComparable(version);
                case "<" -> order < 0 && isComparable(version);
                case ">=" -> order >= 0 && isComparable(version);
                case "<=" -> order <= 0 && isComparable(version);
                default -> order >= 0 && isComparable(version) && hasSameBeginning(version);
            };
        }

        /// What is not released yet is in no range of what is.
        private boolean isComparable(HubVersion version) {
            return !version.isPrerelease() || wanted.isPrerelease();
        }

        private boolean hasSameBeginning(HubVersion version) {
            for (int i = 0; i < Math.max(1, written - 1); i++) {
                if (version.segment(i) != wanted.segment(i)) {
                    return false;
                }
            }
            return true;
        }
    }
}
