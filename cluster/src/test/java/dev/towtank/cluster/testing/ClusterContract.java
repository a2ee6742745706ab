package dev.towtank.cluster.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.DeleteOptions;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Patch;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.policy.PodDisruptionBudgets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [Cluster] does, whatever is behind it. An implementation's test extends this.
///
/// Each test has a namespace of its own, so that all may run against one server.
public abstract class ClusterContract {

    protected static final Kind<Json.Obj> NAMESPACES = Namespaces.KIND;
    protected static final Kind<Json.Obj> CONFIG_MAPS = ConfigMaps.KIND;

    /// A kind with a status and a generation.
    protected static final Kind<Json.Obj> BUDGETS = PodDisruptionBudgets.KIND;

    private static final Duration QUIET = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    protected final String namespace =
            "contract-" + UUID.randomUUID().toString().substring(0, 8);

    protected abstract Cluster cluster();

    /// Lets the server forget its history, so that revisions until now are too old to watch from.
    protected abstract void forgetHistory();

    @BeforeEach
    void givenANamespace() {
        givenNamespace(LogicalCluster.DEFAULT, namespace);
    }

    protected final void givenNamespace(LogicalCluster place, String name) {
        var json = JsonText.parseObject("{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
        cluster().create(NAMESPACES, new Resource(place, typed(NAMESPACES, json)), WriteOptions.DEFAULT);
    }

    protected static Json.Obj typed(Kind<?> kind, Json.Obj json) {
        return json.with("apiVersion", Json.of(kind.apiVersion())).with("kind", Json.of(kind.kind()));
    }

    protected final Resource map(String name, String value) {
        return map(LogicalCluster.DEFAULT, namespace, name, value);
    }

    protected static Resource map(LogicalCluster place, String namespace, String name, String value) {
        return new Resource(
                place, typed(CONFIG_MAPS, JsonText.parseObject("""
                {"metadata":{"name":"%s","namespace":"%s","labels":{"contract":"yes","value":"%s"}},"data":{"key":"%s"}}
                """.formatted(name, namespace, value, value))));
    }

    protected final Resource create(Resource map) {
        return cluster().create(CONFIG_MAPS, map, WriteOptions.DEFAULT);
    }

    private ObjectName named(String name) {
        return ObjectName.of(namespace, name);
    }

    protected final Selection ours() {
        return Selection.in(LogicalCluster.DEFAULT, namespace).labelled("contract=yes");
    }

    private static Resource with(Resource object, Json value, String... path) {
        return object.with(object.json().with(List.of(path), value));
    }

    protected static void assertRefused(Reason reason, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StatusError.class,
                        error -> assertThat(error.reason()).as(error.text()).isEqualTo(reason));
    }

    // ---- reading

    @Test
    void findsNothingWhereNothingIs() {
        assertThat(cluster().get(CONFIG_MAPS, named("a"))).isEmpty();
    }

    @Test
    void findsWhatWasCreated() {
        var created = create(map("a", "1"));

        assertThat(created.uid()).isNotEmpty();
        assertThat(created.resourceVersion()).isNotEmpty();
        assertThat(created.creationTimestamp()).isPresent();
        assertThat(created.kind()).isEqualTo("ConfigMap");
        assertThat(created.apiVersion()).isEqualTo("v1");
        assertThat(cluster().get(CONFIG_MAPS, named("a"))).contains(created);
    }

    @Test
    void listsWhatIsSelectedInOrder() {
        create(map("b", "2"));
        create(map("a", "1"));
        create(map("c", "1"));
        create(with(map("d", "1"), Json.Obj.EMPTY, "metadata", "labels"));

        assertThat(names(ours())).containsExactly("a", "b", "c");
        assertThat(names(ours().labelled("contract=yes,value=1"))).containsExactly("a", "c");
        assertThat(names(ours().labelled("contract,value notin (1)"))).containsExactly("b");
        assertThat(names(ours().where("metadata.name=b"))).containsExactly("b");
        assertThat(names(ours().where("metadata.name!=b"))).containsExactly("a", "c");
    }

    @Test
    void listsAcrossNamespaces() {
        var other = namespace + "-other";
        givenNamespace(LogicalCluster.DEFAULT, other);
        create(map("a", namespace));
        create(map(LogicalCluster.DEFAULT, other, "b", namespace));

        assertThat(names(Selection.in(LogicalCluster.DEFAULT).labelled("value=" + namespace)))
                .containsExactlyInAnyOrder("a", "b");
        assertThat(names(Selection.EVERYWHERE.labelled("value=" + namespace))).containsExactlyInAnyOrder("a", "b");
        assertThat(names(Selection.in(LogicalCluster.DEFAULT, other).labelled("contract")))
                .containsExactly("b");
    }

    @Test
    void listsWholeObjects() {
        var created = create(map("a", "1"));

        assertThat(cluster().list(CONFIG_MAPS, ours()).items()).containsExactly(created);
    }

    private List<String> names(Selection selection) {
        return cluster().list(CONFIG_MAPS, selection).items().stream()
                .map(Resource::name)
                .toList();
    }

    // ---- creating

    @Test
    void makesUpNamesFromAPrefix() {
        var prefixed = map("", "1");
        prefixed = prefixed.with(prefixed.json()
                .with("metadata", prefixed.metadata().without("name").with("generateName", Json.of("gen-"))));

        var first = create(prefixed);
        var second = create(prefixed);

        assertThat(first.name()).startsWith("gen-").hasSizeGreaterThan(4);
        assertThat(second.name()).startsWith("gen-").isNotEqualTo(first.name());
    }

    @Test
    void refusesToCreateTwice() {
        create(map("a", "1"));

        assertRefused(Reason.ALREADY_EXISTS, () -> create(map("a", "2")));
        assertThatThrownBy(() -> create(map("a", "2"))).hasMessage("configmaps \"a\" already exists");
    }

    @Test
    void refusesToCreateWithoutAName() {
        assertRefused(Reason.INVALID, () -> create(map("", "1")));
    }

    @Test
    void refusesToCreateWithAResourceVersion() {
        assertThatThrownBy(() -> create(with(map("a", "1"), Json.of("7"), "metadata", "resourceVersion")))
                .isInstanceOf(StatusError.class)
                .hasMessageContaining("resourceVersion should not be set on objects to be created");
        assertThat(cluster().get(CONFIG_MAPS, named("a"))).isEmpty();
    }

    @Test
    void onlyTriesWhenAskedTo() {
        var dryRun = new WriteOptions("", "", true, false);

        assertThat(cluster().create(CONFIG_MAPS, map("a", "1"), dryRun).name()).isEqualTo("a");
        assertThat(cluster().get(CONFIG_MAPS, named("a"))).isEmpty();

        var created = create(map("a", "1"));
        var tried = cluster().update(CONFIG_MAPS, with(created, Json.of("2"), "data", "key"), dryRun);
        assertThat(tried.json().string("data", "key")).isEqualTo("2");
        assertThat(cluster().get(CONFIG_MAPS, named("a"))).contains(created);
    }

    // ---- updating

    @Test
    void updatesWhatIsStillAsSeen() {
        var created = create(map("a", "1"));

        var updated = cluster().update(CONFIG_MAPS, with(created, Json.of("2"), "data", "key"), WriteOptions.DEFAULT);

        assertThat(updated.json().string("data", "key")).isEqualTo("2");
        assertThat(updated.uid()).isEqualTo(created.uid());
        assertThat(updated.resourceVersion()).isNotEqualTo(created.resourceVersion());
        assertThat(cluster().get(CONFIG_MAPS, named("a"))).contains(updated);
    }

    @Test
    void refusesToUpdateWhatHasChanged() {
        var created = create(map("a", "1"));
        cluster().update(CONFIG_MAPS, with(created, Json.of("2"), "data", "key"), WriteOptions.DEFAULT);

        assertRefused(
                Reason.CONFLICT,
                () -> cluster().update(CONFIG_MAPS, with(created, Json.of("3"), "data", "key"), WriteOptions.DEFAULT));
    }

    @Test
    void updatesWithoutConditionWhenNoVersionIsGiven() {
        create(map("a", "1"));

        var updated = cluster().update(CONFIG_MAPS, map("a", "2"), WriteOptions.DEFAULT);

        assertThat(updated.json().string("data", "key")).isEqualTo("2");
    }

    @Test
    void refusesToUpdateWhatIsNotThere() {
        assertRefused(Reason.NOT_FOUND, () -> cluster().update(CONFIG_MAPS, map("a", "2"), WriteOptions.DEFAULT));
    }

    @Test
    void keepsTheVersionWhenNothingChanges() {
        var created = create(map("a", "1"));

        assertThat(cluster().update(CONFIG_MAPS, created, WriteOptions.DEFAULT)).isEqualTo(created);
    }

    @Test
    void losesNoUpdateToARace() throws Exception {
        create(map("counter", "0"));
        int threads = 4;
        int rounds = 10;

        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = new ArrayList<Future<?>>();
            for (int i = 0; i < threads; i++) {
                tasks.add(executor.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        increment();
                    }
                }));
            }
            for (var task : tasks) {
                task.get();
            }
        }

        var counter = cluster().get(CONFIG_MAPS, named("counter")).orElseThrow();
        assertThat(counter.json().string("data", "key")).isEqualTo(Integer.toString(threads * rounds));
    }

    private void increment() {
        while (true) {
            var seen = cluster().get(CONFIG_MAPS, named("counter")).orElseThrow();
            int next = Integer.parseInt(seen.json().string("data", "key")) + 1;
            try {
                cluster()
                        .update(
                                CONFIG_MAPS,
                                with(seen, Json.of(Integer.toString(next)), "data", "key"),
                                WriteOptions.DEFAULT);
                return;
            } catch (StatusError e) {
                assertThat(e.reason()).isEqualTo(Reason.CONFLICT);
            }
        }
    }

    // ---- patching

    private Resource merge(String name, String patch) {
        return cluster()
                .patch(
                        CONFIG_MAPS,
                        named(name),
                        new Patch.Merge(JsonText.parseObject(patch)),
                        WriteOptions.DEFAULT.by("contract"));
    }

    @Test
    void patchesTheGivenFieldsOnly() {
        create(map("a", "1"));

        var patched = merge("a", "{\"data\":{\"key\":null,\"more\":\"2\"},\"metadata\":{\"labels\":{\"x\":\"y\"}}}");

        assertThat(patched.json().object("data")).isEqualTo(JsonText.parse("{\"more\":\"2\"}"));
        assertThat(patched.labels()).containsEntry("x", "y").containsEntry("contract", "yes");
        assertThat(cluster().get(CONFIG_MAPS, named("a"))).contains(patched);
    }

    @Test
    void patchesOnConditionWhenAVersionIsGiven() {
        var created = create(map("a", "1"));
        var patch = "{\"metadata\":{\"resourceVersion\":\"%s\"},\"data\":{\"key\":\"%s\"}}";

        merge("a", patch.formatted(created.resourceVersion(), "2"));

        assertRefused(Reason.CONFLICT, () -> merge("a", patch.formatted(created.resourceVersion(), "3")));
    }

    @Test
    void patchesByOperations() {
        create(map("a", "1"));
        var operations = """
                [{"op":"test","path":"/data/key","value":"%s"},{"op":"add","path":"/data/more","value":"2"}]
                """;

        var patched = operate(operations.formatted("1"));

        assertThat(patched.json().object("data")).isEqualTo(JsonText.parse("{\"key\":\"1\",\"more\":\"2\"}"));
        assertRefused(Reason.INVALID, () -> operate(operations.formatted("other")));
    }

    private Resource operate(String operations) {
        return cluster()
                .patch(
                        CONFIG_MAPS,
                        named("a"),
                        new Patch.Operations((Json.Arr) JsonText.parse(operations)),
                        WriteOptions.DEFAULT);
    }

    @Test
    void refusesToPatchAnotherObjectOfTheSameName() {
        create(map("a", "1"));

        assertRefused(
                Reason.INVALID, () -> merge("a", "{\"metadata\":{\"uid\":\"other\"},\"data\":{\"key\":\"3\"}}"));
    }

    @Test
    void refusesToUpdateAnotherObjectOfTheSameName() {
        create(map("a", "1"));

        assertRefused(Reason.CONFLICT, () -> cluster()
                .update(CONFIG_MAPS, with(map("a", "2"), Json.of("other"), "metadata", "uid"), WriteOptions.DEFAULT));
    }

    @Test
    void refusesToPatchWhatIsNotThere() {
        assertRefused(Reason.NOT_FOUND, () -> merge("a", "{\"data\":{\"key\":\"2\"}}"));
    }

    // ---- status

    private Resource createBudget() {
        return cluster()
                .create(
                        BUDGETS,
                        Resource.of(typed(BUDGETS, JsonText.parseObject("""
                                {"metadata":{"name":"b","namespace":"%s"},
                                 "spec":{"minAvailable":1,"selector":{"matchLabels":{"a":"b"}}},
                                 "status":{"currentHealthy":7,"desiredHealthy":7,"disruptionsAllowed":7,"expectedPods":7}}
                                """.formatted(namespace)))),
                        WriteOptions.DEFAULT);
    }

    private static final String STATUS = """
            {"currentHealthy":3,"desiredHealthy":1,"disruptionsAllowed":2,"expectedPods":3,"observedGeneration":1}
            """;

    @Test
    void changesTheStatusThroughItsSubresourceOnly() {
        var created = createBudget();
        assertThat(created.status().integer("currentHealthy")).isZero();

        var changed = with(created, JsonText.parse(STATUS), "status");
        var updated = cluster().update(BUDGETS, changed, WriteOptions.DEFAULT);
        assertThat(updated.status()).isEqualTo(created.status());

        var withStatus = cluster()
                .update(
                        BUDGETS,
                        with(with(updated, JsonText.parse(STATUS), "status"), Json.of(9), "spec", "minAvailable"),
                        WriteOptions.STATUS);
        assertThat(withStatus.status()).isEqualTo(JsonText.parse(STATUS));
        assertThat(withStatus.spec().integer("minAvailable")).isEqualTo(1);
    }

    @Test
    void countsGenerationsOfTheSpecOnly() {
        var created = createBudget();
        assertThat(created.generation()).isEqualTo(1);

        var withStatus =
                cluster().update(BUDGETS, with(created, JsonText.parse(STATUS), "status"), WriteOptions.STATUS);
        assertThat(withStatus.generation()).isEqualTo(1);

        var changed =
                cluster().update(BUDGETS, with(withStatus, Json.of(2), "spec", "minAvailable"), WriteOptions.DEFAULT);
        assertThat(changed.generation()).isEqualTo(2);
    }

    @Test
    void refusesAStatusThatIsOld() {
        var created = createBudget();
        cluster().update(BUDGETS, with(created, Json.of(2), "spec", "minAvailable"), WriteOptions.DEFAULT);

        assertRefused(
                Reason.CONFLICT,
                () -> cluster().update(BUDGETS, with(created, JsonText.parse(STATUS), "status"), WriteOptions.STATUS));
    }

    // ---- deleting

    private void delete(String name, DeleteOptions options) {
        cluster().delete(CONFIG_MAPS, named(name), options);
    }

    @Test
    void deletes() {
        create(map("a", "1"));

        delete("a", DeleteOptions.DEFAULT);

        assertThat(cluster().get(CONFIG_MAPS, named("a"))).isEmpty();
        assertRefused(Reason.NOT_FOUND, () -> delete("a", DeleteOptions.DEFAULT));
    }

    @Test
    void deletesTheVeryObjectOnly() {
        var created = create(map("a", "1"));

        assertRefused(Reason.CONFLICT, () -> delete("a", DeleteOptions.ofUid("other")));

        delete("a", DeleteOptions.ofUid(created.uid()));
        assertThat(cluster().get(CONFIG_MAPS, named("a"))).isEmpty();
    }

    @Test
    void keepsWhatHasFinalizersUntilTheyAreGone() {
        create(with(map("a", "1"), Json.Arr.of(Json.of("example.com/hold")), "metadata", "finalizers"));

        delete("a", DeleteOptions.DEFAULT);

        var deleting = cluster().get(CONFIG_MAPS, named("a")).orElseThrow();
        assertThat(deleting.isDeleting()).isTrue();
        assertThat(deleting.finalizers()).containsExactly("example.com/hold");

        merge("a", "{\"metadata\":{\"finalizers\":null}}");
        assertThat(cluster().get(CONFIG_MAPS, named("a"))).isEmpty();
    }

    // ---- watching

    private static List<Watch.Event> await(Watch watch, int count) throws InterruptedException {
        var found = new ArrayList<Watch.Event>();
        while (found.size() < count) {
            var next = watch.next(LONGEST);
            assertThat(next).as("events within %s after %s", LONGEST, found).isNotEmpty();
            next.stream().filter(event -> !(event instanceof Watch.Bookmark)).forEach(found::add);
        }
        return found;
    }

    @Test
    void watchesWhatHappensAfterAList() throws InterruptedException {
        create(map("before", "1"));
        var listing = cluster().list(CONFIG_MAPS, ours());

        try (var watch = cluster().watch(CONFIG_MAPS, ours(), listing.resourceVersion())) {
            var created = create(map("a", "1"));
            var patched = merge("a", "{\"data\":{\"key\":\"2\"}}");
            delete("a", DeleteOptions.DEFAULT);

            var events = await(watch, 3);
            assertThat(events.subList(0, 2)).containsExactly(new Watch.Added(created), new Watch.Modified(patched));
            assertThat(events.get(2)).isInstanceOfSatisfying(Watch.Deleted.class, deleted -> {
                assertThat(deleted.object().name()).isEqualTo("a");
                assertThat(deleted.object().json().string("data", "key")).isEqualTo("2");
                assertThat(deleted.object().resourceVersion()).isNotEqualTo(patched.resourceVersion());
            });
        }
    }

    @Test
    void watchesFromWhereAnEarlierEventWas() throws InterruptedException {
        var first = create(map("a", "1"));
        var second = create(map("b", "1"));
        var third = create(map("c", "1"));

        try (var watch = cluster().watch(CONFIG_MAPS, ours(), first.resourceVersion())) {
            assertThat(await(watch, 2)).containsExactly(new Watch.Added(second), new Watch.Added(third));
        }
    }

    @Test
    void goesOnFromADeletion() throws InterruptedException {
        create(map("a", "1"));
        var from = cluster().list(CONFIG_MAPS, ours()).resourceVersion();
        delete("a", DeleteOptions.DEFAULT);
        String deletion;
        try (var watch = cluster().watch(CONFIG_MAPS, ours(), from)) {
            deletion = ((Watch.Deleted) await(watch, 1).getFirst()).object().resourceVersion();
        }
        var next = create(map("b", "1"));

        try (var watch = cluster().watch(CONFIG_MAPS, ours(), deletion)) {
            assertThat(await(watch, 1)).containsExactly(new Watch.Added(next));
        }
    }

    @Test
    void watchesObjectsEnterAndLeaveTheSelection() throws InterruptedException {
        create(map("a", "1"));
        var selection = ours().labelled("value=2");
        var listing = cluster().list(CONFIG_MAPS, selection);

        try (var watch = cluster().watch(CONFIG_MAPS, selection, listing.resourceVersion())) {
            var entered = merge("a", "{\"metadata\":{\"labels\":{\"value\":\"2\"}}}");
            var changed = merge("a", "{\"data\":{\"key\":\"x\"}}");
            merge("a", "{\"metadata\":{\"labels\":{\"value\":\"3\"}}}");
            merge("a", "{\"data\":{\"key\":\"y\"}}");

            var events = await(watch, 3);
            assertThat(events.subList(0, 2)).containsExactly(new Watch.Added(entered), new Watch.Modified(changed));
            assertThat(events.get(2)).isInstanceOf(Watch.Deleted.class);
            assertThat(events).hasSize(3);
        }
    }

    @Test
    void staysQuietWhenNothingHappens() throws InterruptedException {
        var listing = cluster().list(CONFIG_MAPS, ours());

        try (var watch = cluster().watch(CONFIG_MAPS, ours(), listing.resourceVersion())) {
            assertThat(watch.next(QUIET)).noneMatch(event -> !(event instanceof Watch.Bookmark));
        }
    }

    @Test
    void tellsWhenARevisionIsTooOld() {
        var first = create(map("a", "1"));
        create(map("b", "1"));
        forgetHistory();

        assertRefused(Reason.EXPIRED, () -> {
            try (var watch = cluster().watch(CONFIG_MAPS, ours(), first.resourceVersion())) {
                await(watch, 1);
            }
        });
    }

    @Test
    void canBeInterruptedWhileItWaits() throws InterruptedException {
        var listing = cluster().list(CONFIG_MAPS, ours());
        var interrupted = new ArrayList<String>();
        var open = new CountDownLatch(1);
        var reader = Thread.ofVirtual().start(() -> {
            try (var watch = cluster().watch(CONFIG_MAPS, ours(), listing.resourceVersion())) {
                open.countDown();
                while (true) {
                    watch.next(LONGEST);
                }
            } catch (InterruptedException e) {
                interrupted.add("yes");
            }
        });

        open.await();
        reader.interrupt();

        assertThat(reader.join(LONGEST)).isTrue();
        assertThat(interrupted).containsExactly("yes");
    }
}
