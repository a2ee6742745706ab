package dev.towtank.apiserver.server;

import static dev.towtank.apiserver.server.CustomServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// From the names a definition wants to the end of its objects.
class DefinitionLifeTest {

    private static final String CRDS = "apiextensions.k8s.io/v1/~customresourcedefinitions";

    private final CustomServer server = new CustomServer();

    @AfterEach
    void close() {
        server.close();
    }

    private Json.Obj define(String group, String plural, String kind, String more) {
        return server.define("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %2$s.%1$s}
                spec:
                  group: %1$s
                  scope: Namespaced
                  names: {plural: %2$s, singular: %2$s, kind: %3$s%4$s}
                  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
                """.formatted(group, plural, kind, more));
    }

    private static String condition(Json.Obj crd, String type) {
        return crd.objects("status", "conditions").stream()
                .filter(each -> each.string("type").equals(type))
                .map(each -> each.string("status") + " " + each.string("reason") + " " + each.string("message"))
                .findFirst()
                .orElse("");
    }

    @Test
    void theSameNamesInAnotherGroupAreNoConflict() {
        define("a.com", "cats", "Cat", "");
        assertThat(condition(define("b.com", "cats", "Cat", ""), "Established"))
                .isEqualTo("True InitialNamesAccepted the initial names have been accepted");
    }

    @Test
    void whoeverWaitsForANameGetsItWhenItIsFree() {
        define("a.com", "cats", "Cat", "");
        var waiting = define("a.com", "tomcats", "Cat", "");
        // The last conflict is the one that is told.
        assertThat(condition(waiting, "NamesAccepted"))
                .isEqualTo("False ListKindConflict \"CatList\" is already in use");
        assertThat(condition(waiting, "Established")).isEqualTo("False NotAccepted not all names are accepted");
        assertThat(refused(() -> server.list("a.com/v1/tomcats", "")).code()).isEqualTo(404);
        server.delete(CRDS + "/cats.a.com");
        server.until(() ->
                condition(server.definition("tomcats.a.com"), "Established").startsWith("True"));
        assertThat(condition(server.definition("tomcats.a.com"), "NamesAccepted"))
                .isEqualTo("True NoConflicts no conflicts found");
        assertThat(server.list("a.com/v1/tomcats", "")).isEmpty();
    }

    @Test
    void ofManyAtTheSameMomentOneGetsTheName() throws Exception {
        var made = new ConcurrentLinkedQueue<Json.Obj>();
        var threads = IntStream.range(0, 16)
                .mapToObj(i -> Thread.ofVirtual().start(() -> made.add(define("a.com", "cats" + i, "Cat", ""))))
                .toList();
        for (var thread : threads) {
            thread.join();
        }
        assertThat(made)
                .hasSize(16)
                .filteredOn(crd -> condition(crd, "NamesAccepted").startsWith("True"))
                .hasSize(1);
    }

    @Test
    void aShortNameThatIsLetGoIsFree() {
        define("a.com", "cats", "Cat", ", shortNames: [c]");
        var cows = define("a.com", "cows", "Cow", "");
        assertThat(condition(cows, "Established")).startsWith("True");
        server.patch(CRDS + "/cows.a.com", "{spec: {names: {shortNames: [c]}}}");
        var refusedName = server.definition("cows.a.com");
        assertThat(condition(refusedName, "NamesAccepted"))
                .isEqualTo("False ShortNamesConflict \"c\" is already in use");
        assertThat(condition(refusedName, "Established")).startsWith("True");
        server.patch(CRDS + "/cats.a.com", "{spec: {names: {shortNames: [ca]}}}");
        server.until(() ->
                condition(server.definition("cows.a.com"), "NamesAccepted").startsWith("True"));
    }

    @Test
    void aDefinitionWaitsForItsObjectsAndTakesNoNewOnes() {
        define("a.com", "cats", "Cat", "");
        server.create("a.com/v1/cats", """
                {apiVersion: a.com/v1, kind: Cat, metadata: {name: tom, finalizers: [a.com/hold]}}
                """);
        server.delete(CRDS + "/cats.a.com");
        server.until(() -> condition(server.definition("cats.a.com"), "Terminating")
                .equals("True InstanceDeletionInProgress CustomResource deletion is in progress"));
        var refusal = refused(
                () -> server.create("a.com/v1/cats", "{apiVersion: a.com/v1, kind: Cat, metadata: {name: late}}"));
        assertThat(refusal.text())
                .isEqualTo("cats.a.com \"late\" is forbidden: create not allowed while custom resource definition is"
                        + " terminating");
        server.patch("a.com/v1/cats/tom", "{metadata: {finalizers: null}}");
        server.until(() -> server.list(CRDS, "").isEmpty());
    }
}
