package dev.towtank.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Which objects are meant, by their labels. All requirements must hold; none means every object.
///
/// Parsed once and matched often: matching allocates nothing.
public final class LabelSelector {

    public static final LabelSelector EVERYTHING = new LabelSelector(List.of(), false);
    public static final LabelSelector NOTHING = new LabelSelector(List.of(), true);

    public enum Operator {
        EQUALS("="),
        DOUBLE_EQUALS("=="),
        NOT_EQUALS("!="),
        IN("in"),
        NOT_IN("notin"),
        EXISTS("exists"),
        DOES_NOT_EXIST("!"),
        GREATER_THAN(">"),
        LESS_THAN("<");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }
    }

    /// @param values sorted and without duplicates, so that equal requirements are written alike
    public record Requirement(String key, Operator operator, List<String> values) {

        public Requirement {
            values = values.stream().sorted().distinct().toList();
        }

        private boolean matches(@Nullable String value) {
            return switch (operator) {
                case EQUALS, DOUBLE_EQUALS, IN -> value != null && values.contains(value);
                case NOT_EQUALS, NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case GREATER_THAN -> value != null && compare(value) > 0;
                case LESS_THAN -> value != null && compare(value) < 0;
            };
        }

        // A label that is no number is neither greater nor less.
        private int compare(String value) {
            try {
                return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
            } catch (NumberFormatException e) {
                return 0;
            }
        }

        @Override
        public String toString() {
            return switch (operator) {
                case EXISTS -> key;
                case DOES_NOT_EXIST -> "!" + key;
                case IN, NOT_IN -> key + " " + operator.sign + " (" + String.join(",", values) + ")";
                case EQUALS, DOUBLE_EQUALS, NOT_EQUALS, GREATER_THAN, LESS_THAN ->
                    key + operator.sign + values.getFirst();
            };
        }
    }

    private final List<Requirement> requirements;
    private final boolean nothing;

    private LabelSelector(List<Requirement> requirements, boolean nothing) {
        this.requirements = requirements.stream()
                .sorted(Comparator.comparing(Requirement::key))
                .toList();
        this.nothing = nothing;
    }

    /// Reads the query syntax: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1`.
    public static LabelSelector parse(String text) {
        return text.isEmpty() ? EVERYTHING : new LabelSelector(new LabelSelectorParser(text).parse(), false);
    }

    /// Reads the object form with `matchLabels` and `matchExpressions`; an absent selector selects nothing.
    public static LabelSelector of(Json.@Nullable Obj selector) {
        if (selector == null) {
            return NOTHING;
        }
        var found = new ArrayList<Requirement>();
        selector.stringMap("matchLabels").forEach((key, value) -> found.add(equal(key, value)));
        for (var expression : selector.objects("matchExpressions")) {
            var requirement = new Requirement(
                    expression.string("key"),
                    operator(expression.string("operator")),
                    expression.array("values").strings());
            LabelSelectorParser.check(requirement);
            found.add(requirement);
        }
        return found.isEmpty() ? EVERYTHING : new LabelSelector(found, false);
    }

    /// Reads the plain form, as Services have it: every label must have its value.
    public static LabelSelector of(Map<String, String> labels) {
        var found = new ArrayList<Requirement>();
        labels.forEach((key, value) -> found.add(equal(key, value)));
        return found.isEmpty() ? EVERYTHING : new LabelSelector(found, false);
    }

    private static Requirement equal(String key, String value) {
        var requirement = new Requirement(key, Operator.EQUALS, List.of(value));
        LabelSelectorParser.check(requirement);
        return requirement;
    }

    private static Operator operator(String name) {
        return switch (name) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default -> throw StatusError.badRequest("\"" + name + "\" is not a valid label selector operator");
        };
    }

    public boolean matches(Json.Obj object) {
        if (requirements.isEmpty()) {
            return !nothing;
        }
        var labels = object.get("metadata") instanceof Json.Obj metadata ? metadata.get("labels") : null;
        return matchesLabels(labels instanceof Json.Obj present ? present : Json.Obj.EMPTY);
    }

    /// Whether labels match that stand anywhere, such as in a pod template.
    public boolean matchesLabels(Json.Obj labels) {
        for (int i = 0; i < requirements.size(); i++) {
            var requirement = requirements.get(i);
            if (!requirement.matches(labels.get(requirement.key) instanceof Json.Str(var value) ? value : null)) {
                return false;
            }
        }
        return !nothing;
    }

    public boolean matches(Map<String, String> labels) {
        for (int i = 0; i < requirements.size(); i++) {
            var requirement = requirements.get(i);
            if (!requirement.matches(labels.get(requirement.key))) {
                return false;
            }
        }
        return !nothing;
    }

    /// In the order of their keys.
    public List<Requirement> requirements() {
        return requirements;
    }

    public boolean matchesEverything() {
        return requirements.isEmpty() && !nothing;
    }

    /// The one value that a label must have, where there is one.
    public Optional<String> exact(String key) {
        for (var requirement : requirements) {
            if (requirement.key.equals(key) && requirement.values.size() == 1) {
                return switch (requirement.operator) {
                    case EQUALS, DOUBLE_EQUALS, IN -> Optional.of(requirement.values.getFirst());
                    case NOT_EQUALS, NOT_IN, EXISTS, DOES_NOT_EXIST, GREATER_THAN, LESS_THAN -> Optional.empty();
                };
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LabelSelector that && that.nothing == nothing && that.requirements.equals(requirements);
    }

    @Override
    public int hashCode() {
        return requirements.hashCode() * 2 + (nothing ? 1 : 0);
    }

    /// The query syntax in one canonical spelling.
    @Override
    public String toString() {
        return requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
    }
}
