package dev.towtank.controllers.pipelines.api.settings;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The ConfigMap `resolvers-feature-flags`: which resolvers may be used.
///
/// @param disabled the types of those that may not
public record ResolverFlags(Set<String> disabled) {

    public static final String CONFIG_MAP = "resolvers-feature-flags";

    /// Where it is, with the settings of each resolver.
    public static final String NAMESPACE = "tekton-pipelines-resolvers";

    public static final ResolverFlags INITIAL = new ResolverFlags(Set.of());

    private static final Set<String> TYPES = Set.of("git", "hub", "bundles", "cluster", "http");

    public ResolverFlags {
        disabled = Set.copyOf(disabled);
    }

    /// @throws Settings.Malformed where a value makes no sense
    public static ResolverFlags read(Map<String, String> data) {
        var disabled = new TreeSet<String>();
        for (var type : TYPES) {
            if (!FeatureFlags.isOn(data, "enable-" + type + "-resolver", true, "")) {
                disabled.add(type);
            }
        }
        return new ResolverFlags(disabled);
    }

    public boolean allows(String type) {
        return !disabled.contains(type);
    }
}
