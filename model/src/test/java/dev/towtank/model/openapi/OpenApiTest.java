package dev.towtank.model.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Schemas;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OpenApiTest {

    private static final Kind<?> POD = Kind.namespaced("", "v1", "Pod", "pods").withStatus();
    private static final Kind<?> NAMESPACE =
            Kind.clusterScoped("", "v1", "Namespace", "namespaces").withStatus();
    private static final Kind<?> DEPLOYMENT = Kind.namespaced("apps", "v1", "Deployment", "deployments")
            .withStatus()
            .withScale(new Kind.Scale(
                    List.of("spec", "replicas"),
                    List.of("status", "replicas"),
                    Optional.of(List.of("status", "selector"))));
    private static final Kind<?> REVIEW =
            Kind.clusterScoped("authorization.k8s.io", "v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews");
    private static final Kind<?> WIDGET = Kind.namespaced("shop.example.com", "v1", "Widget", "widgets");

    private static final OpenApi API = new OpenApi(
            List.of(POD, NAMESPACE, DEPLOYMENT, REVIEW, WIDGET),
            Schemas.builtin(),
            kind -> kind.equals(WIDGET) ? Optional.of(yaml("""
                            type: object
                            required: [spec]
                            properties:
                              spec:
                                type: object
                                properties:
                                  size: {type: integer, minimum: 1, default: 3}
                                  port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
                                  extra: {type: object, x-kubernetes-preserve-unknown-fields: true}
                                  color: {type: string, nullable: true, enum: [red, blue]}
                            """)) : Optional.empty());

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private static List<String> queryParameters(Json.Obj operation) {
        return operation.objects("parameters").stream()
                .filter(each -> each.string("in").equals("query"))
                .map(each -> each.string("name"))
                .toList();
    }

    @Test
    void theIndexOfVersion3NamesEachGroupVersionWithAHash() {
        var paths = API.v3Index().object("paths");
        assertThat(paths.keys())
                .containsExactly("api/v1", "apis/apps/v1", "apis/authorization.k8s.io/v1", "apis/shop.example.com/v1");
        assertThat(paths.string("apis/apps/v1", "serverRelativeURL"))
                .matches("/openapi/v3/apis/apps/v1\\?hash=[0-9A-F]{64}");
        assertThat(API.v3Index()).isEqualTo(API.v3Index());
        assertThat(API.v3("apis/none/v1")).isEmpty();
    }

    @Test
    void version3DescribesWhatCanBeDoneWithAKind() {
        var paths = API.v3("api/v1").orElseThrow().object("paths");
        var one = paths.object("/api/v1/namespaces/{namespace}/pods/{name}");
        var patch = one.object("patch");
        assertThat(patch.string("x-kubernetes-action")).isEqualTo("patch");
        assertThat(patch.object("x-kubernetes-group-version-kind"))
                .isEqualTo(yaml("{group: '', version: v1, kind: Pod}"));
        assertThat(queryParameters(patch)).contains("dryRun", "fieldManager", "fieldValidation", "force");
        assertThat(patch.object("requestBody", "content").keys()).contains("application/apply-patch+yaml");
        assertThat(patch.string("operationId")).isEqualTo("patchCoreV1NamespacedPod");
        assertThat(one.objects("parameters").stream().map(each -> each.string("name")))
                .containsExactly("name", "namespace");
        assertThat(paths.keys())
                .contains(
                        "/api/v1/pods",
                        "/api/v1/namespaces/{name}",
                        "/api/v1/namespaces/{namespace}/pods",
                        "/api/v1/namespaces/{namespace}/pods/{name}/status");
        assertThat(paths.object("/api/v1/namespaces", "post").string("operationId"))
                .isEqualTo("createCoreV1Namespace");
    }

    @Test
    void version3DefinesTypesWithTheirMergeRules() {
        var schemas = API.v3("apis/apps/v1").orElseThrow().object("components", "schemas");
        var containers = schemas.object("io.k8s.api.core.v1.PodSpec", "properties", "containers");
        assertThat(containers.without("description")).isEqualTo(yaml("""
                type: array
                items: {$ref: '#/components/schemas/io.k8s.api.core.v1.Container'}
                x-kubernetes-list-map-keys: [name]
                x-kubernetes-list-type: map
                x-kubernetes-patch-merge-key: name
                x-kubernetes-patch-strategy: merge
                """));
        assertThat(schemas.array("io.k8s.api.core.v1.PodSpec", "required").strings())
                .containsExactly("containers");
        assertThat(schemas.object("io.k8s.api.apps.v1.Deployment", "properties", "spec"))
                .isEqualTo(yaml("allOf: [{$ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec'}]"));
        assertThat(schemas.array("io.k8s.api.apps.v1.Deployment", "x-kubernetes-group-version-kind"))
                .isEqualTo(YamlText.parse("[{group: apps, version: v1, kind: Deployment}]"));
        assertThat(schemas.object("io.k8s.api.core.v1.ContainerPort", "properties", "protocol")
                        .without("description"))
                .isEqualTo(yaml("{type: string, default: TCP}"));
        assertThat(schemas.keys()).contains("io.k8s.api.apps.v1.DeploymentList", "io.k8s.api.autoscaling.v1.Scale");
    }

    @Test
    void everyReferenceIsDefined() {
        for (var path : API.groupVersions()) {
            var document = API.v3(path).orElseThrow();
            var references = references(document, "#/components/schemas/");
            assertThat(document.object("components", "schemas").keys()).containsAll(references);
        }
        var v2 = API.v2();
        assertThat(v2.object("definitions").keys()).containsAll(references(v2, "#/definitions/"));
    }

    private static List<String> references(Json json, String prefix) {
        var found = new ArrayList<String>();
        switch (json) {
            case Json.Obj object ->
                object.forEach((key, value) -> {
                    if (key.equals("$ref")) {
                        assertThat(value.display()).startsWith(prefix);
                        found.add(value.display().substring(prefix.length()));
                    }
                    found.addAll(references(value, prefix));
                });
            case Json.Arr list -> list.forEach(item -> found.addAll(references(item, prefix)));
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> {}
        }
        return found;
    }

    @Test
    void reviewsCanOnlyBeCreated() {
        var paths = API.v3("apis/authorization.k8s.io/v1").orElseThrow().object("paths");
        assertThat(paths.keys()).containsExactly("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews");
        assertThat(paths.object(paths.key(0)).keys()).containsExactly("post", "parameters");
    }

    @Test
    void version2TellsWhetherAKindTakesDryRuns() {
        var patch = API.v2().object("paths", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}", "patch");
        assertThat(queryParameters(patch)).contains("dryRun");
        assertThat(patch.object("x-kubernetes-group-version-kind"))
                .isEqualTo(yaml("{group: apps, version: v1, kind: Deployment}"));
    }

    @Test
    void customResourcesOfferNoStrategicMergePatch() {
        var path = "/apis/shop.example.com/v1/namespaces/{namespace}/widgets/{name}";
        var expected =
                List.of("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml");
        assertThat(API.v2().array("paths", path, "patch", "consumes").strings()).isEqualTo(expected);
        var three = API.v3("apis/shop.example.com/v1").orElseThrow();
        assertThat(three.object("paths", path, "patch", "requestBody", "content")
                        .keys())
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(API.v2()
                        .array("paths", "/api/v1/namespaces/{namespace}/pods/{name}", "patch", "consumes")
                        .strings())
                .contains("application/strategic-merge-patch+json");
    }

    @Test
    void customResourcesKeepTheirSchemaInVersion3AndLoseWhatVersion2CannotSay() {
        var three = API.v3("apis/shop.example.com/v1")
                .orElseThrow()
                .object("components", "schemas", "com.example.shop.v1.Widget");
        assertThat(three.object("properties").keys()).contains("apiVersion", "kind", "metadata", "spec");
        assertThat(three.integer("properties", "spec", "properties", "size", "default"))
                .isEqualTo(3);
        var two = API.v2().object("definitions", "com.example.shop.v1.Widget");
        assertThat(two.object("properties", "spec", "properties")).isEqualTo(yaml("""
                size: {type: integer, minimum: 1}
                port: {x-kubernetes-int-or-string: true}
                extra: {x-kubernetes-preserve-unknown-fields: true}
                color: {enum: [red, blue]}
                """));
    }

    @Test
    void protobufHoldsTheSameAsVersion2() throws InvalidProtocolBufferException {
        var document = UnknownFieldSet.parseFrom(API.v2Protobuf());
        assertThat(text(document, 1)).isEqualTo("2.0");
        var patch =
                message(named(message(document, 8), 2, "/apis/apps/v1/namespaces/{namespace}/deployments/{name}"), 8);
        assertThat(text(patch, 5)).isEqualTo("patchAppsV1NamespacedDeployment");
        assertThat(text(named(patch, 13, "x-kubernetes-group-version-kind"), 2))
                .isEqualTo("{\"group\":\"apps\",\"kind\":\"Deployment\",\"version\":\"v1\"}\n");
        var queries = new ArrayList<String>();
        for (var item : messages(patch, 8)) {
            var parameter = message(item, 1);
            if (parameter.hasField(2) && message(parameter, 2).hasField(3)) {
                queries.add(text(message(message(parameter, 2), 3), 4));
            }
        }
        assertThat(queries).contains("dryRun", "fieldValidation");

        var podSpec = named(message(document, 9), 1, "io.k8s.api.core.v1.PodSpec");
        assertThat(text(podSpec, 19)).isEqualTo("containers");
        var containers = named(message(podSpec, 25), 1, "containers");
        assertThat(text(message(containers, 22), 1)).isEqualTo("array");
        assertThat(text(message(message(containers, 23), 1), 1))
                .isEqualTo("#/definitions/io.k8s.api.core.v1.Container");
        assertThat(text(named(containers, 31, "x-kubernetes-patch-merge-key"), 2))
                .isEqualTo("\"name\"\n");
        assertThat(messages(message(document, 9), 1))
                .hasSize(API.v2().object("definitions").size());
        assertThat(API.v2Protobuf()).isEqualTo(API.v2Protobuf());
    }

    private static String text(UnknownFieldSet message, int number) {
        return message.getField(number).getLengthDelimitedList().getFirst().toStringUtf8();
    }

    private static UnknownFieldSet message(UnknownFieldSet parent, int number) throws InvalidProtocolBufferException {
        return messages(parent, number).getFirst();
    }

    private static List<UnknownFieldSet> messages(UnknownFieldSet parent, int number)
            throws InvalidProtocolBufferException {
        var found = new ArrayList<UnknownFieldSet>();
        for (var bytes : parent.getField(number).getLengthDelimitedList()) {
            found.add(UnknownFieldSet.parseFrom(bytes));
        }
        return found;
    }

    /// The value of the entry with this name; maps are lists of name (1) and value (2).
    private static UnknownFieldSet named(UnknownFieldSet parent, int number, String name)
            throws InvalidProtocolBufferException {
        for (var entry : messages(parent, number)) {
            if (text(entry, 1).equals(name)) {
                return message(entry, 2);
            }
        }
        throw new AssertionError("no entry " + name);
    }
}
