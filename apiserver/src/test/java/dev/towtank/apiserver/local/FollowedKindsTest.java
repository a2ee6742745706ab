package dev.towtank.apiserver.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.cluster.Backoff;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.DeleteOptions;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.Informer;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.KindFollower.Following;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.SystemTimers;
import dev.towtank.cluster.Watch;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.LogicalClusters;
import dev.towtank.model.patch.Patch;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Kinds that appear, vanish and come back while several follow them. Nothing here is found by trying again.
@Timeout(120)
class FollowedKindsTest {

    private static final Kind<Json.Obj> V1 = Kind.namespaced("example.com", "v1", "Boat", "boats");
    private static final Kind<Json.Obj> V2 = Kind.namespaced("example.com", "v2", "Boat", "boats");
    private static final ObjectName DEFINITION = ObjectName.of("", "boats.example.com");
    private static final Duration NEVER = Duration.ofDays(1);

    private final SystemTimers timers = new SystemTimers();
    private final ApiServer server =
            new ApiServer(JournaledStore.inMemory(), keys(), "PEM", "a-token-for-nobody", timers, new Random(3));
    private final Cluster cluster = server.as(User.of("somebody", User.MASTERS));
    private final Informers informers =
            new Informers(cluster, timers, new Informer.Settings(NEVER, new Backoff(NEVER, NEVER)));

    FollowedKindsTest() {
        server.start();
    }

    @AfterEach
    void close() {
        informers.close();
        server.close();
        timers.close();
    }

    private static KeyPair keys() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Somebody who notes down what they hear.
    private final class Listener {
        private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        private final Following following;

        Listener(Kind<?> kind) {
            following = informers.follow(kind, (before, now) -> told.add(text(before) + " -> " + text(now)));
        }

        private static String text(@Nullable Resource object) {
            return object == null ? "none" : object.name() + " " + object.json().string("apiVersion");
        }

        String next() throws InterruptedException {
            return told.take();
        }
    }

    private void define(LogicalCluster place, String... served) {
        cluster.create(CustomResourceDefinitions.KIND, new Resource(place, definition(served)), WriteOptions.DEFAULT);
    }

    /// The first version is the one of the store.
    private static Json.Obj definition(String... served) {
        var versions = List.of(served).stream()
                .map(version -> "{name: %s, served: true, storage: %s, schema: {openAPIV3Schema: {type: object}}}"
                        .formatted(version, version.equals(served[0])))
                .collect(Collectors.joining(", "));
        return (Json.Obj) YamlText.parse("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: boats.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {kind: Boat, plural: boats}
                  versions: [%s]
                """.formatted(versions));
    }

    private void create(LogicalCluster place, Kind<?> kind, String name) {
        var boat = (Json.Obj) YamlText.parse("{apiVersion: %s, kind: Boat, metadata: {name: %s, namespace: default}}"
                .formatted(kind.apiVersion(), name));
        cluster.create(kind, new Resource(place, boat), WriteOptions.DEFAULT);
    }

    /// Returns when the definition is gone, too.
    private void undefine() throws InterruptedException {
        var from = cluster.list(CustomResourceDefinitions.KIND, Selection.EVERYWHERE)
                .resourceVersion();
        try (var watch = cluster.watch(CustomResourceDefinitions.KIND, Selection.EVERYWHERE, from)) {
            cluster.delete(CustomResourceDefinitions.KIND, DEFINITION, DeleteOptions.DEFAULT);
            while (watch.next(NEVER).stream().noneMatch(Watch.Deleted.class::isInstance)) {
                // others change meanwhile
            }
        }
    }

    private long readers() {
        return informers.all().stream()
                .filter(each -> each.cache().list().stream()
                        .anyMatch(object -> object.json().string("kind").equals("Boat")))
                .count();
    }

    @Test
    void aKindIsFollowedBeforeItIsThereAndByAllTogether() throws InterruptedException {
        var one = new Listener(V1);
        var other = new Listener(V1);
        one.following.awaitSynced();
        assertThat(one.following.cache().list()).isEmpty();

        define(LogicalCluster.DEFAULT, "v1");
        create(LogicalCluster.DEFAULT, V1, "a");

        assertThat(one.next()).isEqualTo("none -> a example.com/v1");
        assertThat(other.next()).isEqualTo("none -> a example.com/v1");
        assertThat(other.following.cache()).isSameAs(one.following.cache());
        assertThat(readers()).isEqualTo(1);
    }

    @Test
    void aKindVanishesAndComesBackInAnotherVersion() throws InterruptedException {
        define(LogicalCluster.DEFAULT, "v1");
        create(LogicalCluster.DEFAULT, V1, "a");
        var first = new Listener(V1);
        assertThat(first.next()).isEqualTo("none -> a example.com/v1");

        undefine();
        assertThat(first.next()).isEqualTo("a example.com/v1 -> none");
        define(LogicalCluster.DEFAULT, "v2");
        create(LogicalCluster.DEFAULT, V2, "b");
        var second = new Listener(V2);
        assertThat(second.next()).isEqualTo("none -> b example.com/v2");

        // What is heard next was not heard before.
        cluster.patch(
                CustomResourceDefinitions.KIND,
                DEFINITION,
                new Patch.Merge(Json.Obj.of("spec", definition("v2", "v1").object("spec"))),
                WriteOptions.DEFAULT);
        assertThat(first.next()).isEqualTo("none -> b example.com/v1");
    }

    @Test
    void aKindOfAnotherLogicalClusterAloneIsFollowedThere() throws InterruptedException {
        var other = new LogicalCluster("other");
        cluster.create(
                LogicalClusters.KIND,
                Resource.of((Json.Obj)
                        YamlText.parse("{apiVersion: towtank.dev/v1, kind: LogicalCluster, metadata: {name: other}}")),
                WriteOptions.DEFAULT);
        var listener = new Listener(V1);
        listener.following.awaitSynced();

        define(other, "v1");
        create(other, V1, "a");

        assertThat(listener.next()).isEqualTo("none -> a example.com/v1");
        assertThat(listener.following.cache().get(new ObjectName(other, "default", "a")))
                .isPresent();
    }

    @Test
    void whatNobodyFollowsIsNotRead() throws InterruptedException {
        define(LogicalCluster.DEFAULT, "v1");
        var one = new Listener(V1);
        var other = new Listener(V1);
        one.following.close();
        one.following.close();
        create(LogicalCluster.DEFAULT, V1, "a");
        assertThat(other.next()).isEqualTo("none -> a example.com/v1");
        assertThat(one.told).isEmpty();

        other.following.close();

        assertThat(readers()).isZero();
        assertThat(new Listener(V1).next()).isEqualTo("none -> a example.com/v1");
    }
}
