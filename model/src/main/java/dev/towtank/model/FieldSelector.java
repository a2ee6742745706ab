package dev.towtank.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Which objects are meant, by the values of a few fields: `metadata.name=web,status.phase!=Running`.
///
/// Which fields a kind offers is for the caller to decide.
public record FieldSelector(List<Requirement> requirements) {

    public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    /// @param equal whether the field must have the value, or must not
    public record Requirement(String field, boolean equal, String value) {
        @Override
        public String toString() {
            return field + (equal ? "=" : "!=") + escape(value);
        }
    }

    public FieldSelector {
        requirements = List.copyOf(requirements);
    }

    public static FieldSelector parse(String text) {
        if (text.isEmpty()) {
            return EVERYTHING;
        }
        var found = new ArrayList<Requirement>();
        for (var term : terms(text)) {
            if (!term.isEmpty()) {
                found.add(requirement(term, text));
            }
        }
        return new FieldSelector(found);
    }

    /// Comma-separated, where an escaped comma is part of a value; sorted, as Kubernetes answers them.
    private static List<String> terms(String text) {
        var terms = new ArrayList<String>();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == ',') {
                terms.add(text.substring(start, i));
                start = i + 1;
            }
        }
        terms.add(text.substring(start));
        terms.sort(Comparator.naturalOrder());
        return terms;
    }

    private static Requirement requirement(String term, String whole) {
        for (int i = 0; i < term.length(); i++) {
            for (var operator : List.of("!=", "==", "=")) {
                if (term.startsWith(operator, i)) {
                    return new Requirement(
                            term.substring(0, i),
                            !operator.equals("!="),
                            unescape(term.substring(i + operator.length())));
                }
            }
        }
        throw StatusError.badRequest("invalid selector: '" + whole + "'; can't understand '" + term + "'");
    }

    private static String unescape(String text) {
        var value = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
                if (i == text.length() || "\\,=".indexOf(text.charAt(i)) < 0) {
                    throw StatusError.badRequest("invalid field selector: invalid escape sequence: "
                            + text.substring(i - 1, Math.min(i + 1, text.length())));
                }
                value.append(text.charAt(i));
            } else if (c == ',' || c == '=') {
                // Kubernetes shows the number of the character here, not the character.
                throw StatusError.badRequest("invalid field selector: unescaped character in value: " + (int) c);
            } else {
                value.append(c);
            }
        }
        return value.toString();
    }

    /// A value as it may stand in a selector.
    public static String escape(String value) {
        return value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
    }

    /// @param value gives a field's value by its name; a field that an object lacks is the empty string
    public boolean matches(Function<String, String> value) {
        for (int i = 0; i < requirements.size(); i++) {
            var requirement = requirements.get(i);
            if (value.apply(requirement.field).equals(requirement.value) != requirement.equal) {
                return false;
            }
        }
        return true;
    }

    public boolean matchesEverything() {
        return requirements.isEmpty();
    }

    /// The one value that a field must have, where there is one: `metadata.name=x` is about a single object.
    public Optional<String> exact(String field) {
        return requirements.stream()
                .filter(each -> each.equal && each.field.equals(field))
                .map(Requirement::value)
                .findFirst();
    }

    @Override
    public String toString() {
        return requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
    }
}
