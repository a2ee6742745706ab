package dev.towtank.apiserver.admission.extension;

import dev.towtank.model.Json;
import java.util.List;

/// Operations on resources; `*` stands for all of something.
///
/// @param resources with their subresource: `pods`, `pods/status`, `*/scale`, `pods/*`
/// @param scope `Cluster`, `Namespaced` or `*`
/// @param names of the objects meant; none means all
public record MatchRule(
        List<String> operations,
        List<String> groups,
        List<String> versions,
        List<String> resources,
        String scope,
        List<String> names) {

    public static MatchRule read(Json.Obj rule) {
        return new MatchRule(
                rule.array("operations").strings(),
                rule.array("apiGroups").strings(),
                rule.array("apiVersions").strings(),
                rule.array("resources").strings(),
                rule.string("scope"),
                rule.array("resourceNames").strings());
    }

    /// @param form the version of the API that is asked for, which need not be that of the request
    public boolean matches(Subject subject, Form form) {
        return matchesAnyVersion(subject) && has(groups, form.group()) && has(versions, form.version());
    }

    /// All equivalent forms of a resource have the same name, so that this tells cheaply whether to look at them.
    boolean matchesAnyVersion(Subject subject) {
        return has(operations, subject.operation().name())
                && isResource(subject)
                && isScope(subject)
                && (names.isEmpty() || names.contains(subject.name()));
    }

    private boolean isScope(Subject subject) {
        boolean clusterScoped = subject.isNamespace() || subject.namespace().isEmpty();
        return switch (scope) {
            case "", "*" -> true;
            case "Cluster" -> clusterScoped;
            case "Namespaced" -> !clusterScoped;
            default -> false;
        };
    }

    private boolean isResource(Subject subject) {
        for (var each : resources) {
            int slash = each.indexOf('/');
            var resource = slash < 0 ? each : each.substring(0, slash);
            var subresource = slash < 0 ? "" : each.substring(slash + 1);
            if (is(resource, subject.form().resource()) && is(subresource, subject.subresource())) {
                return true;
            }
        }
        return false;
    }

    private static boolean has(List<String> wanted, String value) {
        return wanted.contains("*") || wanted.contains(value);
    }

    private static boolean is(String wanted, String value) {
        return wanted.equals("*") || wanted.equals(value);
    }
}
