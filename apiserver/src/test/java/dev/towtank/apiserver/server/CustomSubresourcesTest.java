package dev.towtank.apiserver.server;

import static dev.towtank.apiserver.server.CustomServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The status and the scale of custom resources, and who owns them.
class CustomSubresourcesTest {

    private static final String FLEET = "example.com/v1/fleets/north";

    private final CustomServer server = new CustomServer();

    @BeforeEach
    void define() {
        server.define("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: fleets.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: fleets, kind: Fleet}
                  versions:
                    - name: v1
                      served: true
                      storage: true
                      subresources:
                        status: {}
                        scale: {specReplicasPath: .spec.boats, statusReplicasPath: .status.boats}
                      schema: {openAPIV3Schema: {type: object, properties: {
                        spec: {type: object, properties: {boats: {type: integer}, sea: {type: string}}},
                        status: {type: object, properties: {boats: {type: integer}}}}}}
                """);
        server.create(
                "example.com/v1/fleets",
                "{apiVersion: example.com/v1, kind: Fleet, metadata: {name: north}, spec: {boats: 2, sea: cold},"
                        + " status: {boats: 9}}");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Json.Obj apply(String path, String query, String yaml) {
        var body = new Body.Tree("application/apply-patch+yaml", YamlText.parse(yaml));
        if (server.handle(Verb.PATCH, path, query, body) instanceof Answer.One one) {
            return one.object().tree();
        }
        throw new IllegalStateException("an apply answered with something else");
    }

    /// `manager subresource fields` of who applied.
    private List<String> appliers() {
        return server.get(FLEET).objects("metadata", "managedFields").stream()
                .filter(each -> each.string("operation").equals("Apply"))
                .map(each -> each.string("manager") + " " + each.string("subresource") + " " + each.object("fieldsV1"))
                .toList();
    }

    @Test
    void statusAndSpecAreWrittenApart() {
        assertThat(server.get(FLEET).has("status")).isFalse();
        server.patch(FLEET + "/status", "{spec: {boats: 7}, status: {boats: 1}}");
        server.patch(FLEET, "{spec: {sea: warm}, status: {boats: 8}}");
        assertThat(server.get(FLEET).object("spec")).isEqualTo(YamlText.parse("{boats: 2, sea: warm}"));
        assertThat(server.get(FLEET).integer("status", "boats")).isEqualTo(1);
        assertThat(server.get(FLEET).integer("metadata", "generation")).isEqualTo(2);
    }

    @Test
    void aScaleShowsAndSetsWhereTheDefinitionSays() {
        server.patch(FLEET + "/status", "{status: {boats: 1}}");
        var scale = server.get(FLEET + "/scale");
        assertThat(scale.string("apiVersion")).isEqualTo("autoscaling/v1");
        assertThat(scale.integer("spec", "replicas")).isEqualTo(2);
        assertThat(scale.integer("status", "replicas")).isEqualTo(1);
        server.patch(FLEET + "/scale", "{spec: {replicas: 5}}");
        assertThat(server.get(FLEET).integer("spec", "boats")).isEqualTo(5);
        assertThat(refused(() -> server.patch(FLEET + "/scale", "{spec: {replicas: -1}}"))
                        .text())
                .contains(".spec.boats: Invalid value: -1: should be a non-negative integer");
    }

    @Test
    void whoAppliesAScaleOwnsTheFieldBehindIt() {
        apply(
                FLEET + "/scale",
                "fieldManager=admiral&force=true",
                "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: north}, spec: {replicas: 4}}");
        assertThat(server.get(FLEET).integer("spec", "boats")).isEqualTo(4);
        assertThat(appliers()).containsExactly("admiral scale {\"f:spec\":{\"f:boats\":{}}}");
        var refusal = refused(() -> apply(
                FLEET,
                "fieldManager=captain",
                "{apiVersion: example.com/v1, kind: Fleet, metadata: {name: north}, spec: {boats: 3}}"));
        assertThat(refusal.text())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"admiral\" with subresource \"scale\":"
                        + " .spec.boats");
    }

    @Test
    void whoAppliesAStatusOwnsNothingElse() {
        apply(
                FLEET + "/status",
                "fieldManager=lookout",
                "{apiVersion: example.com/v1, kind: Fleet, metadata: {name: north}, spec: {sea: hot}, status: {boats: 2}}");
        assertThat(server.get(FLEET).string("spec", "sea")).isEqualTo("cold");
        assertThat(appliers()).containsExactly("lookout status {\"f:status\":{\"f:boats\":{}}}");
    }

    @Test
    void whoWritesLabelsThroughTheStatusOwnsThemThoughNothingIsWritten() {
        server.handle(
                Verb.PATCH,
                FLEET + "/status",
                "fieldManager=lookout",
                new Body.Tree(
                        "application/merge-patch+json",
                        YamlText.parse("{metadata: {labels: {seen: 'yes'}}, status: {boats: 1}}")));

        assertThat(server.get(FLEET).object("metadata").has("labels")).isFalse();
        assertThat(server.get(FLEET).objects("metadata", "managedFields"))
                .filteredOn(owner -> owner.string("manager").equals("lookout"))
                .singleElement()
                .extracting(owner -> owner.object("fieldsV1").toString())
                .isEqualTo("{\"f:metadata\":{\"f:labels\":{\".\":{},\"f:seen\":{}}},"
                        + "\"f:status\":{\".\":{},\"f:boats\":{}}}");
        var refusal = refused(() -> apply(
                FLEET + "/status",
                "fieldManager=captain",
                "{apiVersion: example.com/v1, kind: Fleet, metadata: {name: north, labels: {ready: 'no'}}}"));
        assertThat(refusal.text())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"lookout\" with subresource \"status\" using"
                        + " example.com/v1: .metadata.labels");
        apply(
                FLEET + "/status",
                "fieldManager=captain&force=true",
                "{apiVersion: example.com/v1, kind: Fleet, metadata: {name: north, labels: {ready: 'no'}}}");
        assertThat(server.get(FLEET).object("metadata").has("labels")).isFalse();
    }
}
