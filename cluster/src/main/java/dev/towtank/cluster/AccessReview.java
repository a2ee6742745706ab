package dev.towtank.cluster;

import dev.towtank.cluster.web.WebRequest;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;

/// Asks the server what somebody may do who came to an [dev.towtank.cluster.web.Endpoint].
///
/// @param resource a plural, with the part behind a slash where it is about one
public record AccessReview(String verb, String group, String resource, String namespace, String name) {

    private static final Kind<Json.Obj> REVIEW =
            Kind.clusterScoped("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews");

    public boolean allows(Cluster cluster, WebRequest.Caller caller) {
        int slash = resource.indexOf('/');
        var attributes = Json.Obj.builder()
                .put("verb", verb)
                .put("group", group)
                .put("resource", slash < 0 ? resource : resource.substring(0, slash))
                .putNonEmpty("subresource", slash < 0 ? "" : resource.substring(slash + 1))
                .put("namespace", namespace)
                .put("name", name)
                .build();
        var review = Json.Obj.of(
                "apiVersion", Json.of("authorization.k8s.io/v1"),
                "kind", Json.of("SubjectAccessReview"),
                "spec",
                        Json.Obj.of(
                                "user", Json.of(caller.name()),
                                "groups", Json.Arr.ofStrings(caller.groups()),
                                "resourceAttributes", attributes));
        return cluster.create(REVIEW, new Resource(caller.cluster(), review), Cluster.WriteOptions.DEFAULT)
                .status()
                .flag("allowed");
    }

    /// What those hear who may not.
    public String refusal(WebRequest.Caller caller) {
        return "User \"" + caller.name() + "\" cannot " + verb + " resource \"" + resource + "\" in API group \""
                + group + "\" in the namespace \"" + namespace + "\"";
    }
}
