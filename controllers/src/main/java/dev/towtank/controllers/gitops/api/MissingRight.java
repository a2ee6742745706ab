package dev.towtank.controllers.gitops.api;

import java.util.Optional;
import java.util.regex.Pattern;

/// What a ServiceAccount was refused, as the server told whoever tried.
///
/// @param account `<namespace>/<name>`
/// @param namespace empty for what is in none, and for all
public record MissingRight(String account, String verb, String resource, String group, String namespace) {

    private static final Pattern WORDS = Pattern.compile(
            "[Uu]ser \"system:serviceaccount:([^:\"]+):([^\"]+)\" cannot (\\w+) resource \"([^\"]+)\" in API group \"([^\"]*)\"(?: in the namespace \"([^\"]+)\")?");

    /// @param text such as the last lines of a program that failed
    public static Optional<MissingRight> in(String text) {
        var found = WORDS.matcher(text);
        return found.find()
                ? Optional.of(new MissingRight(
                        found.group(1) + "/" + found.group(2),
                        found.group(3),
                        found.group(4),
                        found.group(5),
                        Optional.ofNullable(found.group(6)).orElse("")))
                : Optional.empty();
    }

    /// The rule that gives it.
    public String rule() {
        return "{apiGroups: [\"%s\"], resources: [%s], verbs: [%s]}".formatted(group, resource, verb);
    }

    /// For people.
    public String told() {
        return "serviceaccount %s cannot %s %s%s%s. Add to a Role that is bound to it: %s"
                .formatted(
                        account,
                        verb,
                        resource,
                        group.isEmpty() ? "" : "." + group,
                        namespace.isEmpty() ? "" : " in " + namespace,
                        rule());
    }
}
