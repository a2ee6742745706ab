package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static dev.towtank.apiserver.registry.TestApi.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeletingTest {

    private final TestApi api = new TestApi();

    @AfterEach
    void close() {
        api.close();
    }

    private void config(String name, String metadata) {
        api.create(
                "configmaps/default",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", " + metadata + "}}");
    }

    private void pod(String spec) {
        api.create(
                "pods/default",
                "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {" + spec
                        + "containers: [{name: main, image: 'nginx:1'}]}}");
    }

    @Test
    void mostKindsAnswerWithAStatus() {
        config("a", "");
        var answer = api.delete("configmaps/default/a", "");
        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.object().tree().string("status")).isEqualTo("Success");
        assertThat(answer.object().tree().string("details", "name")).isEqualTo("a");
        assertThat(api.exists("configmaps/default/a")).isFalse();
        assertThat(refused(() -> api.delete("configmaps/default/a", "")).text())
                .isEqualTo("configmaps \"a\" not found");
    }

    @Test
    void finalizersKeepTheObjectUntilTheyAreGone() {
        config("a", "finalizers: [example.com/hold]");
        var marked = api.delete("configmaps/default/a", "").object().tree();
        assertThat(marked.string("metadata", "deletionTimestamp")).isEqualTo("2026-03-01T10:00:00Z");
        assertThat(marked.integer("metadata", "deletionGracePeriodSeconds")).isZero();
        var added = refused(() -> api.patch(
                "configmaps/default/a",
                "merge",
                "{\"metadata\":{\"finalizers\":[\"example.com/hold\",\"example.com/x\"]}}"));
        assertThat(added.text()).contains("no new finalizers can be added if the object is being deleted");
        api.patch("configmaps/default/a", "merge", "{\"metadata\":{\"finalizers\":null}}");
        assertThat(api.exists("configmaps/default/a")).isFalse();
    }

    @Test
    void preconditionsMustHold() {
        config("a", "");
        var body = Body.of(Json.Obj.of("preconditions", Json.Obj.of("uid", Json.of("other"))));
        var error = refused(() -> api.call(Verb.DELETE, "configmaps/default/a", "", body));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.CONFLICT);
        assertThat(error.text()).contains("the UID in the precondition (other) does not match the UID in record");
        assertThat(api.exists("configmaps/default/a")).isTrue();
    }

    @Test
    void anUnscheduledPodGoesAtOnce() {
        pod("");
        api.delete("pods/default/web", "");
        assertThat(api.exists("pods/default/web")).isFalse();
    }

    @Test
    void aRunningPodEndsInPeace() {
        pod("nodeName: here, ");
        var marked = api.delete("pods/default/web", "").object().tree();
        assertThat(marked.string("metadata", "deletionTimestamp")).isEqualTo("2026-03-01T10:00:30Z");
        assertThat(marked.integer("metadata", "deletionGracePeriodSeconds")).isEqualTo(30);
        var again =
                api.delete("pods/default/web", "gracePeriodSeconds=60").object().tree();
        assertThat(again).isEqualTo(marked);
        var shorter =
                api.delete("pods/default/web", "gracePeriodSeconds=5").object().tree();
        assertThat(shorter.integer("metadata", "deletionGracePeriodSeconds")).isEqualTo(5);
        api.delete("pods/default/web", "gracePeriodSeconds=0");
        assertThat(api.exists("pods/default/web")).isFalse();
    }

    @Test
    void propagationBecomesAFinalizer() {
        config("a", "");
        var foreground = api.delete("configmaps/default/a", "propagationPolicy=Foreground");
        assertThat(foreground.code()).isEqualTo(200);
        assertThat(foreground.object().tree().array("metadata", "finalizers").strings())
                .containsExactly("foregroundDeletion");
        config("b", "");
        var orphan = api.delete("configmaps/default/b", "propagationPolicy=Orphan")
                .object()
                .tree();
        assertThat(orphan.array("metadata", "finalizers").strings()).containsExactly("orphan");
        assertThat(refused(() -> api.delete("configmaps/default/b", "propagationPolicy=Sideways"))
                        .text())
                .contains("propagationPolicy: Unsupported value: \"Sideways\"");
    }

    @Test
    void jobsKeepTheirPodsUnlessTold() {
        api.create("jobs.batch/default", """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: once}
                spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: 'b:1'}]}}}
                """);
        var answer = api.delete("jobs.batch/default/once", "");
        assertThat(answer.warnings()).singleElement().asString().contains("child pods are preserved by default");
        assertThat(answer.object().tree().array("metadata", "finalizers").strings())
                .contains("orphan");
    }

    @Test
    void theWarningAboutJobsIsForJobs() {
        api.create("replicationcontrollers/default", """
                apiVersion: v1
                kind: ReplicationController
                metadata: {name: old}
                spec: {template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: 'b:1'}]}}}
                """);
        var answer = api.delete("replicationcontrollers/default/old", "");
        assertThat(answer.warnings()).isEmpty();
        assertThat(answer.object().tree().array("metadata", "finalizers").strings())
                .contains("orphan");
    }

    @Test
    void aCollectionIsDeletedBySelector() {
        config("a", "labels: {x: '1'}");
        config("b", "labels: {x: '1'}");
        config("c", "");
        var answer = (Answer.Many)
                api.call(Verb.DELETECOLLECTION, "configmaps/default", "labelSelector=x=1", Body.None.NONE);
        assertThat(TestApi.names(answer)).containsExactly("a", "b");
        assertThat(TestApi.names(api.list("configmaps/default", ""))).containsExactly("c");
    }

    @Test
    void aLargeCollectionIsDeletedAndToldInOrder() {
        var names = IntStream.range(0, 3000).mapToObj(i -> "c%04d".formatted(i)).toList();
        names.forEach(name -> config(name, name.endsWith("7") ? "finalizers: [example.com/hold]" : ""));
        var answer = (Answer.Many) api.call(Verb.DELETECOLLECTION, "configmaps/default", "", Body.None.NONE);
        assertThat(TestApi.names(answer)).isEqualTo(names);
        assertThat(answer.items())
                .allSatisfy(item -> assertThat(item.tree().object("metadata").has("deletionTimestamp"))
                        .isFalse());
        var left = (Answer.Many) api.call(Verb.LIST, "configmaps/default", "", Body.None.NONE);
        assertThat(left.items())
                .hasSize(300)
                .allSatisfy(item -> assertThat(item.tree().object("metadata").has("deletionTimestamp"))
                        .isTrue());
    }

    @Test
    void aPageOfACollectionIsDeletedAlone() {
        IntStream.range(0, 200).forEach(i -> config("c%03d".formatted(i), ""));
        var answer = (Answer.Many) api.call(Verb.DELETECOLLECTION, "configmaps/default", "limit=150", Body.None.NONE);
        assertThat(answer.items()).hasSize(150);
        assertThat(answer.continueToken()).isNotEmpty();
        assertThat(TestApi.names(api.list("configmaps/default", "")))
                .hasSize(50)
                .startsWith("c150");
    }

    @Test
    void aCollectionOfWhichOneIsRefusedIsRefused() {
        IntStream.range(0, 200).forEach(i -> config("c%03d".formatted(i), ""));
        var precondition = yaml("{kind: DeleteOptions, apiVersion: v1, preconditions: {uid: another}}");
        var refusal = refused(() -> api.call(Verb.DELETECOLLECTION, "configmaps/default", "", precondition));
        assertThat(refusal.reason()).isEqualTo(StatusError.Reason.CONFLICT);
        assertThat(TestApi.names(api.list("configmaps/default", ""))).hasSize(200);
    }

    @Test
    void dryRunDeletesNothing() {
        config("a", "");
        api.delete("configmaps/default/a", "dryRun=All");
        assertThat(api.exists("configmaps/default/a")).isTrue();
    }

    @Test
    void aNamespaceStaysUntilItIsFinalized() {
        api.create("namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: team}}");
        var marked = api.delete("namespaces//team", "").object().tree();
        assertThat(marked.string("status", "phase")).isEqualTo("Terminating");
        var empty = marked.with(java.util.List.of("spec", "finalizers"), Json.Arr.EMPTY);
        api.one(Verb.UPDATE, "namespaces//team/finalize", "", Body.of(empty));
        assertThat(api.exists("namespaces//team")).isFalse();
    }
}
