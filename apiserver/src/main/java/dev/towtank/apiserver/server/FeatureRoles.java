package dev.towtank.apiserver.server;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.auth.BootstrapPolicy;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Permission;
import dev.towtank.model.Json;
import java.util.List;
import java.util.stream.Stream;

/// The identities of features, and the roles by which they may do what they say they need, in every logical cluster.
public final class FeatureRoles {

    private static final String NAMESPACE = "kube-system";

    private FeatureRoles() {}

    static BootstrapPolicy of(List<? extends Feature> features) {
        var withRights = features.stream()
                .filter(feature -> !feature.permissions().isEmpty())
                .toList();
        return new BootstrapPolicy(
                withRights.stream().map(FeatureRoles::role).toList(),
                withRights.stream().map(FeatureRoles::binding).toList());
    }

    /// As people see them in the default cluster.
    static List<Json.Obj> objects(Feature feature) {
        return feature.permissions().isEmpty() ? List.of() : List.of(role(feature), binding(feature));
    }

    /// Changes with whatever the feature installs.
    static String fingerprint(Feature feature) {
        return feature.definitions().fingerprint() + "."
                + Integer.toHexString(permissions(feature).hashCode());
    }

    private static Json.Obj role(Feature feature) {
        var rules = permissions(feature).stream().<Json>map(Permission::json).toList();
        return BootstrapPolicy.role(name(feature), new Json.Arr(rules));
    }

    private static List<Permission> permissions(Feature feature) {
        return Stream.concat(feature.permissions().stream(), Permission.EVENTS.stream())
                .toList();
    }

    private static Json.Obj binding(Feature feature) {
        return BootstrapPolicy.binding(name(feature), NAMESPACE, feature.name());
    }

    private static String name(Feature feature) {
        return "system:controller:" + feature.name();
    }

    /// Who a feature is.
    public static User identity(String feature) {
        return User.of(
                "system:serviceaccount:" + NAMESPACE + ":" + feature,
                "system:serviceaccounts",
                "system:serviceaccounts:" + NAMESPACE,
                User.ALL_AUTHENTICATED);
    }
}
