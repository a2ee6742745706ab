package dev.towtank.cluster.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Cluster.DeleteOptions;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.Selection;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;
import dev.towtank.model.patch.Patch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What every [Cluster] does, whatever is behind it. An implementation's test extends this.
public abstract class ClusterContract extends WatchContract {

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

    @Test
    void createsSeveralTogetherOrNone() {
        create(map("there", "1"));
        var some = List.of(map("b", "2"), map("a", "1"));

        assertThat(cluster()
                        .createTogether(CONFIG_MAPS, List.of(map("c", "3"), map("there", "2")), WriteOptions.DEFAULT))
                .isFalse();
        assertThat(names(ours())).containsExactly("there");
        boolean together = cluster().createTogether(CONFIG_MAPS, some, WriteOptions.DEFAULT);
        assertThat(names(ours())).isEqualTo(together ? List.of("a", "b", "there") : List.of("there"));
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

        assertRefused(Reason.INVALID, () -> merge("a", "{\"metadata\":{\"uid\":\"other\"},\"data\":{\"key\":\"3\"}}"));
    }

    @Test
    void refusesToUpdateAnotherObjectOfTheSameName() {
        create(map("a", "1"));

        assertRefused(
                Reason.CONFLICT,
                () -> cluster()
                        .update(
                                CONFIG_MAPS,
                                with(map("a", "2"), Json.of("other"), "metadata", "uid"),
                                WriteOptions.DEFAULT));
    }

    @Test
    void refusesToPatchWhatIsNotThere() {
        assertRefused(Reason.NOT_FOUND, () -> merge("a", "{\"data\":{\"key\":\"2\"}}"));
    }

    // ---- status, of a kind that no controller looks after

    private Resource createIngress() {
        return cluster()
                .create(
                        INGRESSES,
                        Resource.of(typed(INGRESSES, JsonText.parseObject("""
                                {"metadata":{"name":"b","namespace":"%s"},
                                 "spec":{"ingressClassName":"first","defaultBackend":{"service":{"name":"s","port":{"number":80}}}},
                                 "status":{"loadBalancer":{"ingress":[{"ip":"10.0.0.7"}]}}}
                                """.formatted(namespace)))),
                        WriteOptions.DEFAULT);
    }

    private static final String STATUS = """
            {"loadBalancer":{"ingress":[{"ip":"10.0.0.3"}]}}
            """;

    @Test
    void changesTheStatusThroughItsSubresourceOnly() {
        var created = createIngress();
        assertThat(created.status().at("loadBalancer", "ingress")).isNull();

        var changed = with(created, JsonText.parse(STATUS), "status");
        var updated = cluster().update(INGRESSES, changed, WriteOptions.DEFAULT);
        assertThat(updated.status()).isEqualTo(created.status());

        var withStatus = cluster()
                .update(
                        INGRESSES,
                        with(
                                with(updated, JsonText.parse(STATUS), "status"),
                                Json.of("ninth"),
                                "spec",
                                "ingressClassName"),
                        WriteOptions.STATUS);
        assertThat(withStatus.status()).isEqualTo(JsonText.parse(STATUS));
        assertThat(withStatus.spec().string("ingressClassName")).isEqualTo("first");
    }

    @Test
    void countsGenerationsOfTheSpecOnly() {
        var created = createIngress();
        assertThat(created.generation()).isEqualTo(1);

        var withStatus =
                cluster().update(INGRESSES, with(created, JsonText.parse(STATUS), "status"), WriteOptions.STATUS);
        assertThat(withStatus.generation()).isEqualTo(1);

        var changed = cluster()
                .update(
                        INGRESSES,
                        with(withStatus, Json.of("second"), "spec", "ingressClassName"),
                        WriteOptions.DEFAULT);
        assertThat(changed.generation()).isEqualTo(2);
    }

    @Test
    void refusesAStatusThatIsOld() {
        var created = createIngress();
        cluster().update(INGRESSES, with(created, Json.of("second"), "spec", "ingressClassName"), WriteOptions.DEFAULT);

        assertRefused(
                Reason.CONFLICT,
                () -> cluster()
                        .update(INGRESSES, with(created, JsonText.parse(STATUS), "status"), WriteOptions.STATUS));
    }

    /// So whoever must know that what they have seen is still so can ask by writing it.
    @Test
    void refusesAnOldStatusEvenWhereItChangesNothing() {
        var created = createIngress();
        var changed = with(created, JsonText.parse(STATUS), "status");
        var newest = cluster().update(INGRESSES, changed, WriteOptions.STATUS);

        assertRefused(Reason.CONFLICT, () -> cluster().update(INGRESSES, changed, WriteOptions.STATUS));
        assertThat(cluster().update(INGRESSES, newest, WriteOptions.STATUS).resourceVersion())
                .isEqualTo(newest.resourceVersion());
    }

    // ---- deleting

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
}
