package dev.towtank.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Notes;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.registry.TestApi;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which applies are answered without waiting: only those that would get the very same answer the long way.
class QuickApplyTest {

    private static final Target SETTINGS = new Target("", "v1", "configmaps", "default", "settings", "");
    private static final Target WIDGET = new Target("example.com", "v1", "widgets", "default", "one", "");
    private static final String CONFIG = "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: b}}";
    private static final String CUSTOM =
            "{apiVersion: example.com/v1, kind: Widget, metadata: {name: one}," + " spec: {size: 1}}";
    private static final String DEFINITION = """
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: widgets, kind: Widget}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: {type: object, properties: {size: {type: integer}}}
            """;

    private final CustomServer server = new CustomServer();

    @AfterEach
    void stop() {
        server.close();
    }

    private static Call call(String user, Target target, String query, String body) {
        return new Call(
                user.equals("admin") ? User.of(user, User.MASTERS) : User.of(user, User.ALL_AUTHENTICATED),
                LogicalCluster.DEFAULT,
                Verb.PATCH,
                target,
                TestApi.params(query),
                new Body.Text("application/apply-patch+yaml", body.getBytes(StandardCharsets.UTF_8)),
                "tester",
                Notes.empty());
    }

    private Optional<Answer> quickly(String query, String body) {
        return server.server.api().quickly(call("admin", SETTINGS, query, body));
    }

    private Answer apply(Target target, String query, String body) {
        return server.server.api().handle(call("admin", target, query, body));
    }

    private void applyTwice() {
        apply(SETTINGS, "fieldManager=me", CONFIG);
        apply(SETTINGS, "fieldManager=me", CONFIG);
    }

    @Test
    void answersAsTheLongWayDoes() {
        assertThat(quickly("fieldManager=me", CONFIG)).isEmpty();
        applyTwice();

        var answer = quickly("fieldManager=me", CONFIG);

        assertThat(answer).contains(apply(SETTINGS, "fieldManager=me", CONFIG));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fieldManager=other",
                "",
                "fieldManager=me&force=true",
                "fieldManager=me&dryRun=All",
                "fieldManager=me&fieldValidation=Strict"
            })
    void leavesOtherDemandsToTheLongWay(String query) {
        applyTwice();

        assertThat(quickly(query, CONFIG)).isEmpty();
    }

    @Test
    void leavesOtherBodiesAndObjectsToTheLongWay() {
        applyTwice();
        assertThat(quickly("fieldManager=me", CONFIG.replace("a: b", "a: c"))).isEmpty();

        server.server
                .api()
                .handle(new Call(
                        User.of("admin", User.MASTERS),
                        LogicalCluster.DEFAULT,
                        Verb.PATCH,
                        SETTINGS,
                        TestApi.params(""),
                        TestApi.patch("merge", "{\"data\":{\"x\":\"y\"}}")));

        assertThat(quickly("fieldManager=me", CONFIG)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            mutatingwebhookconfigurations | {metadata: {name: a}, webhooks: [{name: a.example.com, clientConfig: {url: 'https://127.0.0.1:1/'}, rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}], sideEffects: None, admissionReviewVersions: [v1]}]}
            validatingwebhookconfigurations | {metadata: {name: a}, webhooks: [{name: a.example.com, clientConfig: {url: 'https://127.0.0.1:1/'}, rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}], sideEffects: None, admissionReviewVersions: [v1]}]}
            validatingadmissionpolicybindings | {metadata: {name: a}, spec: {policyName: p, validationActions: [Deny]}}
            """)
    void leavesThoseToTheLongWayThatSomebodyIsToBeAskedAbout(String resource, String configuration) {
        applyTwice();
        assertThat(quickly("fieldManager=me", CONFIG)).isPresent();

        server.create("admissionregistration.k8s.io/v1/~" + resource, configuration);
        assertThat(quickly("fieldManager=me", CONFIG)).isEmpty();

        server.delete("admissionregistration.k8s.io/v1/~" + resource + "/a");
        assertThat(quickly("fieldManager=me", CONFIG)).isPresent();
    }

    @Test
    void leavesObjectsOfAChangedKindToTheLongWay() {
        server.define(DEFINITION);
        apply(WIDGET, "fieldManager=me", CUSTOM);
        apply(WIDGET, "fieldManager=me", CUSTOM);
        var same = call("admin", WIDGET, "fieldManager=me", CUSTOM);
        assertThat(server.server.api().quickly(same))
                .contains(server.server.api().handle(same));

        var name = "apiextensions.k8s.io/v1/~customresourcedefinitions/widgets.example.com";
        server.patch(
                name,
                "{spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,"
                        + " properties: {spec: {type: object, properties: {size: {type: integer, maximum: 0}}}}}}}]}}");

        assertThat(server.server.api().quickly(same)).isEmpty();
    }

    @Test
    void asksWhetherTheCallerMayBeforeAnythingElse() {
        applyTwice();
        var notes = Notes.empty();
        var stranger = call("stranger", SETTINGS, "fieldManager=me", CONFIG).withNotes(notes);

        assertThatThrownBy(() -> server.server.api().quickly(stranger))
                .isInstanceOf(StatusError.class)
                .hasMessageContaining("User \"stranger\" cannot patch resource \"configmaps\"");
        assertThat(notes.all()).containsEntry("authorization.k8s.io/decision", "forbid");
    }

    @Test
    void leavesPartsOfObjectsAndDefinitionsToTheLongWay() {
        server.define(DEFINITION);
        var definition =
                new Target("apiextensions.k8s.io", "v1", "customresourcedefinitions", "", "widgets.example.com", "");
        var body = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name:"
                + " widgets.example.com, labels: {a: b}}}";
        var status = new Target("apps", "v1", "deployments", "default", "web", "status");
        for (int i = 0; i < 2; i++) {
            apply(definition, "fieldManager=me&force=true", body);
        }

        assertThat(server.server.api().quickly(call("admin", definition, "fieldManager=me&force=true", body)))
                .isEmpty();
        assertThat(server.server.api().quickly(call("admin", status, "fieldManager=me", "{}")))
                .isEmpty();
    }
}
