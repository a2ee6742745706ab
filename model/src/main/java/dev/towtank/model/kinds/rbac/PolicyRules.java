package dev.towtank.model.kinds.rbac;

import dev.towtank.model.kinds.Field;

/// The rules for one entry of `rules` in a Role or ClusterRole.
final class PolicyRules {

    private PolicyRules() {}

    static void validate(Field rule, boolean namespaced) {
        rule.at("verbs").required("verbs must contain at least one value");
        var urls = rule.at("nonResourceURLs");
        if (!urls.isEmpty()) {
            if (namespaced) {
                urls.invalid("namespaced rules cannot apply to non-resource URLs");
            }
            if (!rule.at("apiGroups").isEmpty()
                    || !rule.at("resources").isEmpty()
                    || !rule.at("resourceNames").isEmpty()) {
                urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
            }
            return;
        }
        rule.at("apiGroups").required("resource rules must supply at least one api group");
        rule.at("resources").required("resource rules must supply at least one resource");
    }
}
