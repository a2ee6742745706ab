package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.Function;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoObject;
import dev.towtank.model.template.GoType;
import dev.towtank.model.template.SizedInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Semantic versions, and the constraints that Helm, Sprig and their like write about them.
public final class SemanticVersions {
    private static final Pattern VERSION = Pattern.compile(
            "v?([0-9]{1,18})(?:\\.([0-9]{1,18}))?(?:\\.([0-9]{1,18}))?(?:-([0-9A-Za-z.-]+))?(?:\\+([0-9A-Za-z.-]+))?");
    private static final Pattern CONSTRAINT = Pattern.compile(
            "(=|==|!=|>|<|>=|=>|<=|=<|~|~>|\\^)?\\s*v?([0-9]{1,18}|[xX*])(?:\\.([0-9]{1,18}|[xX*]))?(?:\\.([0-9]{1,18}|[xX*]))?"
                    + "(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?");
    private static final Pattern RANGE = Pattern.compile("(\\S+)\\s+-\\s+(\\S+)");
    private static final long UNBOUNDED = -1;

    static final Functions ALL = Functions.builder()
            .add("semver", call -> parse(call.string(0)), STRING)
            .add("semverCompare", SemanticVersions::compare, STRING, STRING)
            .build();

    private SemanticVersions() {}

    /// A version, as `semver` gives it to a template.
    public record Version(long major, long minor, long patch, String prerelease, String metadata, String original)
            implements GoObject, Comparable<Version> {
        @Override
        public String type() {
            return "*semver.Version";
        }

        @Override
        public String kind() {
            return "ptr";
        }

        @Override
        public @Nullable Member member(String name) {
            return switch (name) {
                case "Major" -> number(major);
                case "Minor" -> number(minor);
                case "Patch" -> number(patch);
                case "Prerelease" -> text(prerelease);
                case "Metadata" -> text(metadata);
                case "Original" -> text(original);
                case "String" -> text(text());
                case "Compare" ->
                    new Method(Function.of(
                            call -> (long) compareTo((Version) java.util.Objects.requireNonNull(call.any(0))),
                            GoType.of(Version.class, "*semver.Version")));
                default -> null;
            };
        }

        private static Member number(long value) {
            return new Method(Function.of(_ -> new SizedInteger(SizedInteger.Size.UINT64, value)));
        }

        private static Member text(String value) {
            return new Method(Function.of(_ -> value));
        }

        @Override
        public String text() {
            return major + "." + minor + "." + patch + (prerelease.isEmpty() ? "" : "-" + prerelease)
                    + (metadata.isEmpty() ? "" : "+" + metadata);
        }

        @Override
        public int compareTo(Version other) {
            int byNumbers = java.util.Comparator.comparingLong(Version::major)
                    .thenComparingLong(Version::minor)
                    .thenComparingLong(Version::patch)
                    .compare(this, other);
            return byNumbers != 0 ? byNumbers : comparePrereleases(prerelease, other.prerelease);
        }
    }

    // What comes before a release is older than the release; numbers in it are older than words.
    private static int comparePrereleases(String one, String other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Boolean.compare(one.isEmpty(), other.isEmpty());
        }
        var left = one.split("\\.", -1);
        var right = other.split("\\.", -1);
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            boolean leftNumber = left[i].matches("[0-9]{1,18}");
            boolean rightNumber = right[i].matches("[0-9]{1,18}");
            int compared = leftNumber && rightNumber
                    ? Long.compare(Long.parseLong(left[i]), Long.parseLong(right[i]))
                    : leftNumber != rightNumber ? (leftNumber ? -1 : 1) : left[i].compareTo(right[i]);
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    public static boolean isVersion(String text) {
        return VERSION.matcher(text).matches();
    }

    /// @throws FunctionError where the text is no version
    public static Version parse(String text) {
        var matcher = VERSION.matcher(text);
        if (!matcher.matches()) {
            throw new FunctionError("Invalid Semantic Version");
        }
        return new Version(
                number(matcher.group(1)),
                number(matcher.group(2)),
                number(matcher.group(3)),
                orEmpty(matcher.group(4)),
                orEmpty(matcher.group(5)),
                text);
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static Object compare(Arguments call) {
        return isSatisfied(constraints(call.string(0)), parse(call.string(1)));
    }

    /// Whether a version is one that a constraint allows; false as well where either of them cannot be read.
    public static boolean satisfies(String constraint, String version) {
        try {
            return isSatisfied(constraints(constraint), parse(version));
        } catch (FunctionError e) {
            return false;
        }
    }

    /// @param parts major, minor and patch, as many as were written
    private record Constraint(String operator, List<Long> parts, String prerelease) {
        long part(int index) {
            return index < parts.size() ? parts.get(index) : UNBOUNDED;
        }

        Version version() {
            return new Version(Math.max(0, part(0)), Math.max(0, part(1)), Math.max(0, part(2)), prerelease, "", "");
        }

        boolean isPartial() {
            return parts.size() < 3;
        }
    }

    private static List<List<Constraint>> constraints(String text) {
        var either = new ArrayList<List<Constraint>>();
        for (var alternative : text.split("\\|\\|", -1)) {
            var range = RANGE.matcher(alternative);
            var plain = range.replaceAll(">= $1, <= $2");
            var all = new ArrayList<Constraint>();
            var matcher = CONSTRAINT.matcher(plain);
            int end = 0;
            while (matcher.find(end) && plain.substring(end, matcher.start()).matches("[\\s,]*")) {
                all.add(constraint(matcher));
                end = matcher.end();
                if (end == plain.length()) {
                    break;
                }
            }
            if (all.isEmpty() || !plain.substring(end).isBlank()) {
                throw new FunctionError("improper constraint: " + text);
            }
            either.add(all);
        }
        return either;
    }

    private static Constraint constraint(java.util.regex.Matcher matcher) {
        var parts = new ArrayList<Long>();
        for (int i = 2; i <= 4; i++) {
            var part = matcher.group(i);
            if (part == null || part.equals("*") || part.equalsIgnoreCase("x")) {
                break;
            }
            parts.add(Long.parseLong(part));
        }
        return new Constraint(orEmpty(matcher.group(1)), parts, orEmpty(matcher.group(5)));
    }

    private static boolean isSatisfied(List<List<Constraint>> either, Version version) {
        return either.stream().anyMatch(all -> all.stream().allMatch(each -> allows(each, version)));
    }

    private static boolean allows(Constraint constraint, Version version) {
        // What comes before a release is asked for by name only.
        if (!version.prerelease().isEmpty()
                && constraint.prerelease().isEmpty()
                && !constraint.operator().equals("!=")) {
            return false;
        }
        int compared = version.compareTo(constraint.version());
        return switch (constraint.operator()) {
            case "!=" -> constraint.isPartial() ? !isWithin(constraint, version) : compared != 0;
            case ">" -> constraint.isPartial() ? compared > 0 && !isWithin(constraint, version) : compared > 0;
            case "<" -> compared < 0;
            case ">=", "=>" -> compared >= 0;
            case "<=", "=<" -> compared <= 0 || (constraint.isPartial() && isWithin(constraint, version));
            case "^" -> compared >= 0 && isSameCaret(constraint, version);
            case "~", "~>" -> compared >= 0 && isSameTilde(constraint, version);
            default -> constraint.isPartial() ? isSameTilde(constraint, version) : compared == 0;
        };
    }

    private static boolean isWithin(Constraint constraint, Version version) {
        return (constraint.part(0) < 0 || constraint.part(0) == version.major())
                && (constraint.part(1) < 0 || constraint.part(1) == version.minor())
                && (constraint.part(2) < 0 || constraint.part(2) == version.patch());
    }

    private static boolean isSameTilde(Constraint constraint, Version version) {
        return (constraint.part(0) < 0 || constraint.part(0) == version.major())
                && (constraint.part(1) < 0 || constraint.part(1) == version.minor());
    }

    private static boolean isSameCaret(Constraint constraint, Version version) {
        if (constraint.part(0) < 0) {
            return true;
        }
        if (constraint.part(0) > 0 || constraint.part(1) < 0) {
            return version.major() == constraint.part(0);
        }
        if (constraint.part(1) > 0 || constraint.part(2) < 0) {
            return version.major() == 0 && version.minor() == constraint.part(1);
        }
        return version.major() == 0 && version.minor() == 0 && version.patch() == constraint.part(2);
    }
}
