package dev.towtank.apiserver;

import dev.towtank.model.GroupResource;

/// What a request is about: a resource of an API version, perhaps one object of it, perhaps a subresource of that.
///
/// @param namespace empty for cluster-scoped resources and for lists over all namespaces
/// @param name empty for collections
/// @param subresource empty for the object itself
public record Target(String group, String version, String resource, String namespace, String name, String subresource) {

    public GroupResource groupResource() {
        return new GroupResource(group, resource);
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
