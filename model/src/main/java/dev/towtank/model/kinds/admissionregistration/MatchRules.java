package dev.towtank.model.kinds.admissionregistration;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.LabelSelectors;
import java.util.HashSet;
import java.util.List;

/// Which requests a webhook or a policy is about: rules, selectors and the match policy.
final class MatchRules {

    private static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
    private static final List<String> SCOPES = List.of("*", "Cluster", "Namespaced");

    private MatchRules() {}

    /// The defaults that webhooks have in themselves, and policies in their `matchConstraints`.
    static Json.Obj defaults(Json.Obj match) {
        var filled = Fill.missing(match, "matchPolicy", "Equivalent");
        filled = Fill.missing(filled, "namespaceSelector", Json.Obj.EMPTY);
        filled = Fill.missing(filled, "objectSelector", Json.Obj.EMPTY);
        for (var rules : List.of("rules", "resourceRules", "excludeResourceRules")) {
            filled = Fill.each(filled, rules, rule -> Fill.missing(rule, "scope", "*"));
        }
        return filled;
    }

    /// `matchConstraints` and `matchResources`, where they are there.
    static void validateResources(Field match) {
        if (!match.isPresent()) {
            return;
        }
        match.at("matchPolicy").requiredOneOf("Equivalent", "Exact");
        for (var name : List.of("namespaceSelector", "objectSelector")) {
            var selector = match.at(name);
            if (selector.isPresent()) {
                LabelSelectors.validate(selector);
            } else {
                selector.errors().required(selector.path(), "");
            }
        }
        match.at("resourceRules").each(MatchRules::validateNamed);
        match.at("excludeResourceRules").each(MatchRules::validateNamed);
    }

    private static void validateNamed(Field rule) {
        var seen = new HashSet<String>();
        rule.at("resourceNames").each(name -> name.matches(Names::pathSegment).unique(seen));
        validate(rule);
    }

    static void validate(Field rule) {
        var operations = rule.at("operations");
        if (operations.size() == 0) {
            operations.required("");
        }
        alone(operations, "operations");
        operations.each(operation -> operation.oneOf(OPERATIONS));
        notEmpty(rule.at("apiGroups"));
        alone(rule.at("apiGroups"), "API groups");
        var versions = rule.at("apiVersions");
        notEmpty(versions);
        alone(versions, "API versions");
        versions.each(version -> version.required(""));
        resources(rule.at("resources"));
        if (rule.has("scope")) {
            rule.at("scope").oneOf(SCOPES);
        }
    }

    private static void notEmpty(Field list) {
        if (list.size() == 0) {
            list.errors().required(list.path(), "");
        }
    }

    private static void alone(Field list, String what) {
        if (list.size() > 1
                && list.items().stream().anyMatch(item -> item.text().equals("*"))) {
            list.invalid("if '*' is present, must not specify other " + what);
        }
    }

    private static void resources(Field resources) {
        notEmpty(resources);
        var everySubresource = new HashSet<String>();
        var everyResource = new HashSet<String>();
        boolean plain = false;
        boolean single = false;
        boolean all = false;
        for (var item : resources.items()) {
            var text = item.required("").text();
            all |= text.equals("*/*");
            single |= text.equals("*");
            int slash = text.indexOf('/');
            if (slash < 0) {
                // As in Kubernetes: the last one without a subresource counts.
                plain = text.isEmpty() ? plain : !text.equals("*");
                continue;
            }
            var resource = text.substring(0, slash);
            var subresource = text.substring(slash + 1);
            if (everySubresource.contains(resource)) {
                item.invalid("if '" + resource + "/*' is present, must not specify " + text);
            }
            if (everyResource.contains(subresource)) {
                item.invalid("if '*/" + subresource + "' is present, must not specify " + text);
            }
            if (subresource.equals("*")) {
                everySubresource.add(resource);
            }
            if (resource.equals("*")) {
                everyResource.add(subresource);
            }
        }
        if (resources.size() > 1 && all) {
            resources.invalid("if '*/*' is present, must not specify other resources");
        }
        if (single && plain) {
            resources.invalid("if '*' is present, must not specify other resources without subresources");
        }
    }
}
