package dev.towtank.apiserver.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.registry.TestApi;
import dev.towtank.apiserver.store.Range;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpkeepTest {

    private static final Duration LONG_ENOUGH = Duration.ofMinutes(2);

    private final TestApi api = new TestApi();
    private final List<StoreLoop<?>> loops = new ArrayList<>();

    @AfterEach
    void close() {
        loops.forEach(StoreLoop::close);
        api.close();
    }

    private void start(StoreLoop.Task<?> task) {
        var loop = new StoreLoop<>(task.getClass().getSimpleName(), api.store, task, api.clock);
        loops.add(loop);
        loop.start();
    }

    private void collectGarbage() {
        start(new GarbageCollection(api.store, api.api, api.catalog));
    }

    /// Waits for a state that writes lead to, looking again after each.
    private void until(BooleanSupplier condition) throws InterruptedException {
        try (var feed = api.store.feed(Range.EVERYTHING, api.store.revision())) {
            while (!condition.getAsBoolean()) {
                var changes = feed.await(100, LONG_ENOUGH);
                assertThat(changes)
                        .as("something happens before the condition holds")
                        .isNotEmpty();
            }
        }
    }

    private Json.Obj config(String name, Json.Obj... owners) {
        var references = new ArrayList<String>();
        for (var owner : owners) {
            references.add("{apiVersion: v1, kind: ConfigMap, name: " + owner.string("metadata", "name") + ", uid: "
                    + owner.string("metadata", "uid") + ", blockOwnerDeletion: true}");
        }
        return api.create(
                "configmaps/default",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", ownerReferences: ["
                        + String.join(", ", references) + "]}}");
    }

    private boolean gone(String name) {
        return !api.exists("configmaps/default/" + name);
    }

    @Test
    void dependentsFollowTheirOwner() throws InterruptedException {
        collectGarbage();
        var owner = config("owner");
        var child = config("child", owner);
        config("grandchild", child);
        api.delete("configmaps/default/owner", "propagationPolicy=Background");
        until(() -> gone("child") && gone("grandchild"));
    }

    @Test
    void anOwnerThatStaysKeepsItsDependent() throws InterruptedException {
        collectGarbage();
        var one = config("one");
        var two = config("two");
        config("child", one, two);
        api.delete("configmaps/default/one", "");
        until(() -> api.get("configmaps/default/child")
                        .objects("metadata", "ownerReferences")
                        .size()
                == 1);
        assertThat(gone("child")).isFalse();
        api.delete("configmaps/default/two", "");
        until(() -> gone("child"));
    }

    @Test
    void foregroundDeletionWaitsForDependents() throws InterruptedException {
        collectGarbage();
        var owner = config("owner");
        config("child", owner);
        api.patch("configmaps/default/child", "merge", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
        api.delete("configmaps/default/owner", "propagationPolicy=Foreground");
        until(() -> api.get("configmaps/default/child").object("metadata").has("deletionTimestamp"));
        assertThat(gone("owner")).isFalse();
        api.patch("configmaps/default/child", "merge", "{\"metadata\":{\"finalizers\":null}}");
        until(() -> gone("child") && gone("owner"));
    }

    @Test
    void orphanDeletionSetsDependentsFree() throws InterruptedException {
        collectGarbage();
        var owner = config("owner");
        config("child", owner);
        api.delete("configmaps/default/owner", "propagationPolicy=Orphan");
        until(() -> gone("owner"));
        assertThat(api.get("configmaps/default/child").object("metadata").has("ownerReferences"))
                .isFalse();
    }

    @Test
    void whatWasLeftBehindBeforeTheStartIsCollectedToo() throws InterruptedException {
        var owner = config("owner");
        config("child", owner);
        api.delete("configmaps/default/owner", "");
        collectGarbage();
        until(() -> gone("child"));
    }

    @Test
    void anOwnerInAnotherNamespaceOwnsNothing() throws InterruptedException {
        collectGarbage();
        var owner = config("owner");
        api.create(
                "configmaps/other",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: stray, ownerReferences: [{apiVersion: v1, kind:"
                        + " ConfigMap, name: owner, uid: " + owner.string("metadata", "uid") + "}]}}");
        until(() -> !api.exists("configmaps/other/stray"));
    }

    @Test
    void aNamespaceIsEmptiedAndGoes() throws InterruptedException {
        start(new NamespaceDeletion(api.store, api.api, api.catalog, api.clock));
        api.create("namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: team}}");
        api.create("configmaps/team", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
        api.create(
                "secrets/team",
                "{apiVersion: v1, kind: Secret, metadata: {name: held, finalizers: [example.com/hold]}}");
        api.delete("namespaces//team", "");
        until(() -> api.get("namespaces//team").objects("status", "conditions").stream()
                .anyMatch(
                        condition -> condition.string("message").contains("example.com/hold in 1 resource instances")));
        assertThat(api.exists("configmaps/team/a")).isFalse();
        api.patch("secrets/team/held", "merge", "{\"metadata\":{\"finalizers\":null}}");
        until(() -> !api.exists("namespaces//team"));
    }

    @Test
    void aDeletedLogicalClusterLeavesNothing() throws InterruptedException {
        start(new ClusterDeletion(api.store));
        api.create(
                "logicalclusters.towtank.dev",
                "{apiVersion: towtank.dev/v1, kind: LogicalCluster, metadata: {name: blue}}");
        var blue = new LogicalCluster("blue");
        api.cluster = blue;
        config("inside");
        api.cluster = LogicalCluster.DEFAULT;
        api.delete("logicalclusters.towtank.dev//blue", "");
        until(() -> api.store.count(Range.of(blue)) == 0);
    }

    @Test
    void quotasAreCountedAgain() throws InterruptedException {
        start(new QuotaRecount(api.store, api.api, api.catalog, api.clock));
        api.create(
                "resourcequotas/default",
                "{apiVersion: v1, kind: ResourceQuota, metadata: {name: small}, spec: {hard: {configmaps: '5'}}}");
        config("one");
        until(() -> used().equals("1"));
        api.delete("configmaps/default/one", "");
        until(() -> used().equals("0"));
    }

    private String used() {
        return api.get("resourcequotas/default/small").string("status", "used", "configmaps");
    }

    @Test
    void aClaimGoesWhenNoPodUsesIt() throws InterruptedException {
        start(new StorageRelease(api.store, api.api, api.catalog));
        api.create("persistentvolumeclaims/default", """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, finalizers: [kubernetes.io/pvc-protection]}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """);
        api.create("pods/default", """
                apiVersion: v1
                kind: Pod
                metadata: {name: user}
                spec:
                  containers: [{name: main, image: 'nginx:1'}]
                  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
                """);
        api.delete("persistentvolumeclaims/default/data", "");
        assertThat(api.exists("persistentvolumeclaims/default/data")).isTrue();
        api.delete("pods/default/user", "");
        until(() -> !api.exists("persistentvolumeclaims/default/data"));
    }

    @Test
    void eventsLastAnHour() throws InterruptedException {
        api.create("events/default", """
                apiVersion: v1
                kind: Event
                metadata: {name: old}
                involvedObject: {kind: Pod, namespace: default, name: web}
                """);
        var expiry = new EventExpiry(api.store, api.api, api.catalog, api.clock);
        start(expiry);
        until(() -> {
            // Time moves on only after the loop has seen the event, so it is moved again with every write.
            api.now.updateAndGet(now -> now.plus(Duration.ofMinutes(61)));
            config("tick-" + api.store.revision());
            return !api.exists("events/default/old");
        });
    }

    private Json.Obj event(String name) {
        return api.create(
                "events/default",
                "{apiVersion: v1, kind: Event, metadata: {name: " + name
                        + "}, involvedObject: {kind: Pod, namespace: default, name: web}}");
    }

    @Test
    void anEventThatIsWrittenAgainLastsAnotherHour() {
        var expiry = new EventExpiry(api.store, api.api, api.catalog, api.clock);
        var ended = new ArrayList<String>();
        try (var feed = api.store.feed(Range.EVERYTHING, api.store.revision())) {
            event("old");
            event("new");
            feed.poll(100).forEach(change -> expiry.observe(change, _ -> {}));
            api.now.updateAndGet(now -> now.plus(Duration.ofMinutes(30)));
            api.patch("events/default/new", "merge", "{\"count\": 2}");
            feed.poll(100).forEach(change -> expiry.observe(change, _ -> {}));
        }
        for (int minutes : List.of(29, 1, 29, 1)) {
            api.now.updateAndGet(now -> now.plus(Duration.ofMinutes(minutes)));
            expiry.tick(api.clock.instant(), key -> ended.add(key.name()));
            ended.add("+" + minutes);
        }
        assertThat(ended).containsExactly("+29", "old", "+1", "+29", "new", "+1");
    }

    @Test
    void anEventCanOwnSomething() throws InterruptedException {
        collectGarbage();
        var event = event("owner");
        var other = config("other");
        api.create(
                "configmaps/default",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: child, ownerReferences: ["
                        + "{apiVersion: events.k8s.io/v1, kind: Event, name: owner, uid: "
                        + event.string("metadata", "uid") + "}]}}");
        config("witness", other);
        api.delete("configmaps/default/other", "");
        until(() -> gone("witness"));
        assertThat(gone("child")).isFalse();
        api.delete("events/default/owner", "");
        until(() -> gone("child"));
    }
}
