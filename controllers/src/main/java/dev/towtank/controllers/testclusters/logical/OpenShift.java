package dev.towtank.controllers.testclusters.logical;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.core.Namespaces;
import java.nio.charset.StandardCharsets;

/// The few objects of OpenShift that pipelines ask every cluster for, in those whose template asks for OpenShift. They
/// are what they look like and no more: nothing routes, no console answers, no operator upgrades. All have the label
/// `towtank.dev/pretend`.
final class OpenShift {

    private static final String GROUP_LABEL = "towtank.dev/pretend";
    private static final Kind<Json.Obj> ROUTE = Kind.namespaced("route.openshift.io", "v1", "Route", "routes");
    private static final Kind<Json.Obj> VERSION =
            Kind.clusterScoped("config.openshift.io", "v1", "ClusterVersion", "clusterversions");

    private final LogicalCluster cluster;
    private final String version;

    OpenShift(LogicalCluster cluster, String version) {
        this.cluster = cluster;
        this.version = version;
    }

    /// Which one is asked for; empty for none. What HyperShift hosts is always one.
    static String version(Resource owner) {
        var image = owner.kind().equals("HostedCluster") ? owner.spec().string("release", "image") : "";
        var tag = image.substring(image.lastIndexOf(':') + 1);
        return owner.annotations().getOrDefault(Wishes.OPENSHIFT, tag.replaceAll("-(multi|x86_64|aarch64)$", ""));
    }

    /// All of it; nothing where no version is asked for.
    Plan plan() {
        if (version.isEmpty()) {
            return Plan.none();
        }
        var host = "console-openshift-console.apps." + cluster + ".test.local";
        return Plan.none()
                .create(CustomResourceDefinitions.KIND, definition(ROUTE, "Namespaced"))
                .create(CustomResourceDefinitions.KIND, definition(VERSION, "Cluster"))
                .create(Namespaces.KIND, labelled(Namespaces.KIND, "", "openshift-console", Json.Obj.EMPTY))
                .create(ROUTE, labelled(ROUTE, "openshift-console", "console", yaml("""
                        spec:
                          host: HOST
                          port: {targetPort: https}
                          to: {kind: Service, name: console, weight: 100}
                          wildcardPolicy: None
                        """.replace("HOST", host))))
                .create(VERSION, labelled(VERSION, "", "version", clusterVersion()));
    }

    private Json.Obj clusterVersion() {
        var text = Json.of(version).toString();
        return yaml("""
                spec: {channel: stable, clusterID: CLUSTER}
                status:
                  desired: {version: VERSION}
                  history: [{state: Completed, version: VERSION, verified: false}]
                  conditions:
                    - {type: Available, status: "True", reason: Pretended, message: "a logical cluster that pretends to be OpenShift"}
                    - {type: Progressing, status: "False", reason: Pretended, message: ""}
                """.replace("CLUSTER", cluster.id()).replace("VERSION", text));
    }

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private Resource labelled(Kind<?> kind, String namespace, String name, Json.Obj rest) {
        var metadata = Objects.named(namespace, name).with("labels", Json.Obj.of(GROUP_LABEL, Json.of("true")));
        return new Resource(
                cluster,
                Json.Obj.builder()
                        .put("apiVersion", kind.apiVersion())
                        .put("kind", kind.kind())
                        .put("metadata", metadata)
                        .putAll(rest)
                        .build());
    }

    private Resource definition(Kind<?> kind, String scope) {
        var singular = kind.plural().substring(0, kind.plural().length() - 1);
        var spec = yaml("""
                spec:
                  group: GROUP
                  scope: SCOPE
                  names: {kind: KIND, listKind: KINDList, plural: PLURAL, singular: SINGULAR}
                  versions:
                    - name: v1
                      served: true
                      storage: true
                      schema:
                        openAPIV3Schema:
                          type: object
                          properties:
                            spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                            status: {type: object, x-kubernetes-preserve-unknown-fields: true}
                """.replace("GROUP", kind.group())
                .replace("SCOPE", scope)
                .replace("KIND", kind.kind())
                .replace("PLURAL", kind.plural())
                .replace("SINGULAR", singular));
        return labelled(CustomResourceDefinitions.KIND, "", kind.plural() + "." + kind.group(), spec);
    }
}
