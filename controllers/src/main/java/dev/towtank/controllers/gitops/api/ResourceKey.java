package dev.towtank.controllers.gitops.api;

import dev.towtank.model.Json;

/// Which object, whatever its version.
///
/// @param namespace empty outside of namespaces
public record ResourceKey(String group, String kind, String namespace, String name) {

    public static ResourceKey of(Json.Obj object) {
        return new ResourceKey(
                group(object.string("apiVersion")),
                object.string("kind"),
                object.string("metadata", "namespace"),
                object.string("metadata", "name"));
    }

    private static String group(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    /// As messages and scripts know it.
    @Override
    public String toString() {
        return group + "/" + kind + "/" + name;
    }
}
