package dev.towtank.apiserver.admission;

import static dev.towtank.apiserver.Objects.json;
import static dev.towtank.apiserver.Objects.key;
import static dev.towtank.apiserver.Objects.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.StatusError;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceLifecycleTest {

    private static final String POD = "{'metadata': {'namespace': 'blue', 'name': 'web'}}";

    private final Store store = JournaledStore.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    private final NamespaceLifecycle rule = new NamespaceLifecycle(store);

    @Test
    void createsNothingInAMissingNamespace() {
        assertThatThrownBy(() -> Reviews.changed(rule, Reviews.POD, POD))
                .hasMessage("namespaces \"blue\" not found")
                .isInstanceOfSatisfying(
                        StatusError.class, error -> assertThat(error.code()).isEqualTo(404));
    }

    @Test
    void createsNothingInANamespaceThatGoesAway() {
        put(store, "namespaces", "{'metadata': {'name': 'blue'}, 'status': {'phase': 'Terminating'}}");
        assertThatThrownBy(() -> Reviews.changed(rule, Reviews.POD, POD))
                .hasMessage(
                        "pods \"web\" is forbidden: unable to create new content in namespace blue because it is being"
                                + " terminated")
                .isInstanceOfSatisfying(
                        StatusError.class, error -> assertThat(error.details()).isEqualTo(json("""
                                {'name': 'web', 'kind': 'pods', 'causes': [{'reason': 'NamespaceTerminating',
                                 'message': 'namespace blue is being terminated', 'field': 'metadata.namespace'}]}""")));
    }

    @Test
    void namesAnObjectByItsPrefixWhereItHasNoNameYet() {
        put(store, "namespaces", "{'metadata': {'name': 'blue', 'deletionTimestamp': '2026-01-01T00:00:00Z'}}");
        assertThatThrownBy(() -> Reviews.changed(
                        rule, Reviews.POD, "{'metadata': {'namespace': 'blue', 'generateName': 'web-'}}"))
                .hasMessageStartingWith("pods \"web-\" is forbidden: ");
    }

    @Test
    void commitsOnlyWhileTheNamespaceIsAsItWas() {
        put(store, "namespaces", "{'metadata': {'name': 'blue'}, 'status': {'phase': 'Active'}}");
        var alongside = rule.alongside(Reviews.create(Reviews.POD, POD));
        assertThat(alongside).containsExactly(new Write.Check(key("namespaces", "", "blue"), 1));
    }

    @Test
    void leavesUpdatesAndDeletionsAlone() {
        assertThatCode(() -> rule.check(Reviews.delete(Reviews.POD, POD))).doesNotThrowAnyException();
        assertThat(rule.alongside(Reviews.update(Reviews.POD, POD, POD))).isEmpty();
        assertThat(rule.alongside(Reviews.create(Reviews.NAMESPACE, "{'metadata': {'name': 'blue'}}")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "kube-system", "kube-public"})
    void keepsTheNamespacesThatEveryClusterNeeds(String name) {
        assertThatThrownBy(
                        () -> rule.check(Reviews.delete(Reviews.NAMESPACE, "{'metadata': {'name': '" + name + "'}}")))
                .hasMessage("namespaces \"" + name + "\" is forbidden: this namespace may not be deleted");
        assertThatCode(() -> rule.check(Reviews.delete(Reviews.NAMESPACE, "{'metadata': {'name': 'blue'}}")))
                .doesNotThrowAnyException();
    }

    @Test
    void givesANamespaceWhatItsPodsNeed() {
        var contents = new NamespaceContents(store, "PEM", () -> Instant.parse("2026-01-01T00:00:00.5Z"), () -> "uid");
        store.commit(contents.alongside(Reviews.create(Reviews.NAMESPACE, "{'metadata': {'name': 'red'}}")));
        assertThat(store.get(key("serviceaccounts", "red", "default")).tree()).isEqualTo(json("""
                        {'apiVersion': 'v1', 'kind': 'ServiceAccount', 'metadata': {'name': 'default', 'namespace': 'red',
                         'uid': 'uid', 'creationTimestamp': '2026-01-01T00:00:00Z', 'resourceVersion': '1'}}"""));
        assertThat(store.get(key("configmaps", "red", "kube-root-ca.crt"))
                        .tree()
                        .string("data", "ca.crt"))
                .isEqualTo("PEM");
        assertThat(contents.alongside(Reviews.create(Reviews.NAMESPACE, "{'metadata': {'name': 'red'}}")))
                .isEmpty();
    }
}
