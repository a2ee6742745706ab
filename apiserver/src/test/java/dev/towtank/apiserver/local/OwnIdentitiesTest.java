package dev.towtank.apiserver.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.cluster.Cluster.DeleteOptions;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.BuiltinKinds;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Who calls from inside the process passes RBAC like anybody: node, scheduler and controllers have users of their
/// own,
/// which may do their work and no more.
class OwnIdentitiesTest {

    @TempDir
    private static Path directory;

    private static ApiServer server;

    @BeforeAll
    static void start() {
        var clock = InstantSource.fixed(Instant.parse("2026-03-01T10:00:00Z"));
        var pki = Pki.open(directory.resolve("pki"), clock, List.of());
        server = new ApiServer(
                JournaledStore.inMemory(), pki.tokenKeys(), "PEM", "a-token-for-nobody", clock, new Random(3));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static User user(String name) {
        return switch (name) {
            case "node" -> User.of("system:node:local", "system:nodes", User.ALL_AUTHENTICATED);
            case "scheduler" -> User.of("system:kube-scheduler", User.ALL_AUTHENTICATED);
            case "anybody" -> User.of("anybody", User.ALL_AUTHENTICATED);
            default ->
                User.of(
                        "system:serviceaccount:kube-system:" + name,
                        "system:serviceaccounts",
                        "system:serviceaccounts:kube-system",
                        User.ALL_AUTHENTICATED);
        };
    }

    private static Kind<?> kind(String plural) {
        return BuiltinKinds.ALL.stream()
                .filter(kind -> kind.plural().equals(plural) && !kind.group().equals("events.k8s.io"))
                .findFirst()
                .orElseThrow();
    }

    private static void attempt(String user, String verb, String plural) {
        var cluster = server.as(user(user));
        var kind = kind(plural);
        var namespace = kind.isNamespaced() ? "default" : "";
        var name = ObjectName.of(namespace, "nothing");
        switch (verb) {
            case "get" -> cluster.get(kind, name);
            case "list" -> cluster.list(kind, Selection.in(LogicalCluster.DEFAULT));
            case "delete" -> cluster.delete(kind, name, DeleteOptions.DEFAULT);
            case "create" -> cluster.create(kind, object(kind, namespace), WriteOptions.DEFAULT);
            default -> throw new IllegalArgumentException(verb);
        }
    }

    /// Nothing that any kind would take: whether it is forbidden is known before.
    private static Resource object(Kind<?> kind, String namespace) {
        var metadata = Json.Obj.builder().put("name", "NOT A NAME").putNonEmpty("namespace", namespace);
        return Resource.of(Json.Obj.of(
                "apiVersion", Json.of(kind.apiVersion()), "kind", Json.of(kind.kind()), "metadata", metadata.build()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            anybody              | list pods          | no
            node                 | list pods          | yes
            node                 | create pods        | yes
            node                 | get secrets        | yes
            node                 | delete secrets     | no
            node                 | create namespaces  | no
            node                 | delete deployments | no
            node                 | create clusterroles | no
            scheduler            | list pods          | yes
            scheduler            | get secrets        | no
            scheduler            | delete nodes       | no
            storage              | create persistentvolumes | yes
            storage              | get pods           | no
            storage              | get secrets        | no
            node-controller      | delete pods        | yes
            node-controller      | get configmaps     | no
            event-expiry         | delete events      | yes
            event-expiry         | delete pods        | no
            namespace-controller | delete pods        | yes
            namespace-controller | create pods        | no
            resourcequota-controller | list pods      | yes
            resourcequota-controller | delete pods    | no
            generic-garbage-collector | delete pods   | yes
            generic-garbage-collector | create pods   | no
            """)
    void mayDoItsWorkAndNoMore(String user, String what, String allowed) {
        var words = what.split(" ", 2);
        var refusal = catchThrowableOfType(StatusError.class, () -> attempt(user, words[0], words[1]));
        boolean forbidden = refusal != null && refusal.is(StatusError.Reason.FORBIDDEN);
        assertThat(forbidden ? "no" : "yes").isEqualTo(allowed);
    }

    @Test
    void isToldWhyInKubernetesWords() {
        assertThat(catchThrowableOfType(StatusError.class, () -> attempt("storage", "get", "secrets"))
                        .text())
                .isEqualTo("secrets \"nothing\" is forbidden: User \"system:serviceaccount:kube-system:storage\" cannot"
                        + " get resource \"secrets\" in API group \"\" in the namespace \"default\"");
    }
}
