package dev.towtank.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PackingTest {

    private static final GroupResource PODS = new GroupResource("", "pods");

    @AutoClose
    private final Packing packing = new Packing();

    private static Json.Obj pod(int number) {
        var containers = new ArrayList<Json>();
        for (int i = 0; i < 10; i++) {
            containers.add(Json.Obj.of(
                    "name", Json.of("step-" + i),
                    "image", Json.of("busybox"),
                    "terminationMessagePolicy", Json.of("FallbackToLogsOnError")));
        }
        return Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("metadata", Json.Obj.of("name", Json.of("p" + number), "namespace", Json.of("shop")))
                .put("spec", Json.Obj.of("containers", new Json.Arr(containers)))
                .build();
    }

    private static Key key(String name) {
        return new Key(PODS, LogicalCluster.DEFAULT, "shop", name);
    }

    private static Stored stored(int number) {
        return new Stored(key("p" + number), number, JsonText.bytes(pod(number)));
    }

    @Test
    void givesBackWhatItPacked() {
        for (int i = 0; i < 50; i++) {
            var last = stored(i);
            var text = last.bytes();
            last.pack(packing);
            assertThat(last.bytes()).isEqualTo(text);
            assertThat(last.tree()).isEqualTo(pod(i));
            assertThat(last.metadata().string("name")).isEqualTo("p" + i);
        }
    }

    @Test
    void keepsOnlyWhatDiffersFromOthersOfItsKind() {
        stored(0).pack(packing);
        var second = stored(1);
        int before = second.weight();
        second.pack(packing);

        assertThat(second.weight()).isLessThan(before / 10);
    }

    @Test
    void leavesAloneWhatWouldNotGetSmaller() {
        var random = new Random(1);
        for (int i = 0; i < 3; i++) {
            var noise = new byte[3000];
            random.nextBytes(noise);
            var unlike = new Stored(key("noise"), 1, noise);
            unlike.pack(packing);
            assertThat(unlike.bytes()).isSameAs(noise);
        }
        var small = new Stored(key("small"), 1, JsonText.bytes(Json.Obj.EMPTY));
        small.pack(packing);
        assertThat(small.weight()).isEqualTo(2);
    }

    @Test
    void packsALittleAtATime() {
        var all = new ArrayList<Stored>();
        for (int i = 0; i < 10; i++) {
            all.add(stored(i));
            packing.add(all.get(i));
        }
        int full = all.getFirst().weight();

        assertThat(packing.some(4)).isTrue();
        assertThat(all).filteredOn(each -> each.weight() < full / 2).hasSize(3); // the first is the sample
        assertThat(packing.some(6)).isFalse();
        assertThat(all).filteredOn(each -> each.weight() < full / 2).hasSize(9);
    }

    @Test
    void aStorePacksWhatHasLeftItsHistory() throws Exception {
        try (var store = JournaledStore.inMemory(InstantSource.fixed(Instant.EPOCH), StoreLimits.DEFAULT)) {
            for (int i = 0; i < 20; i++) {
                store.commit(List.of(new Write.Create(key("p" + i), pod(i))));
            }
            int full = store.get(key("p1")).weight();
            store.commit(
                    List.of(new Write.Delete(key("p2"), store.get(key("p2")).revision(), pod(2))));
            store.compact(store.revision());

            // Only the thread that writes packs, when nobody waits for it.
            while (store.get(key("p19")).weight() > full / 2) {
                Thread.onSpinWait();
            }
            assertThat(store.get(key("p1")).weight()).isLessThan(full / 2);
            assertThat(store.get(key("p2"))).isNull();
            var listed = store.list(Range.of(PODS), 0, null, 0).items();
            assertThat(listed)
                    .hasSize(19)
                    .allSatisfy(each -> assertThat(each.tree().object("spec")).isEqualTo(pod(0).object("spec")));
            var changed = pod(5).with("status", Json.Obj.of("phase", Json.of("Succeeded")));
            store.commit(
                    List.of(new Write.Update(key("p5"), store.get(key("p5")).revision(), changed)));
            assertThat(store.get(key("p5")).tree().string("status", "phase")).isEqualTo("Succeeded");
        }
    }

    @Test
    void aStorePacksHistoryThatIsNoLongerFresh() throws Exception {
        var clock = new Samples.Clock();
        try (var store = JournaledStore.inMemory(clock, StoreLimits.DEFAULT)) {
            for (int i = 0; i < 3; i++) {
                store.commit(List.of(new Write.Create(key("p" + i), pod(i))));
            }
            long before = store.revision();
            var old = store.get(key("p2"));
            int full = old.weight();
            var changed = pod(2).with("status", Json.Obj.of("phase", Json.of("Succeeded")));
            store.commit(List.of(new Write.Update(key("p2"), old.revision(), changed)));
            clock.pass(Duration.ofSeconds(20));

            // Only the thread that writes packs, when nobody waits for it.
            while (old.weight() > full / 2 || store.get(key("p2")).weight() > full / 2) {
                Thread.onSpinWait();
            }
            assertThat(store.oldest()).isLessThan(before);
            assertThat(store.list(Range.of(PODS), before, null, 0)
                            .items()
                            .getLast()
                            .tree())
                    .isEqualTo(JsonText.parseObject(old.bytes()));
            try (var feed = store.feed(Range.of(PODS), before)) {
                assertThat(feed.poll(10))
                        .singleElement()
                        .satisfies(change -> assertThat(change.now().tree().string("status", "phase"))
                                .isEqualTo("Succeeded"));
            }
        }
    }

    @Test
    void packsOneLargeObjectAtATime() {
        var large = "{\"metadata\":{\"name\":\"" + "x".repeat(200_000) + "\"}}";
        var all = new ArrayList<Stored>();
        for (int i = 0; i < 3; i++) {
            all.add(new Stored(key("large" + i), i + 1, large.getBytes(StandardCharsets.UTF_8)));
            packing.add(all.get(i));
        }
        for (int i = 0; i < 3; i++) {
            assertThat(packing.some(4)).isEqualTo(i < 2);
            int count = i; // the first is the sample
            assertThat(all).filteredOn(each -> each.weight() < 100_000).hasSize(count);
        }
    }

    @Test
    void aStoreHoldsTreesOnlyOfWhatIsReadAgain() throws Exception {
        try (var store = JournaledStore.inMemory()) {
            store.commit(List.of(new Write.Create(key("p1"), pod(1))));
            var written = new WeakReference<>(store.get(key("p1")).tree());
            System.gc();
            assertThat(written.get()).isNull();

            var read = new WeakReference<>(store.get(key("p1")).tree());
            System.gc();
            assertThat(read.get()).isNotNull();

            store.commit(
                    List.of(new Write.Update(key("p1"), store.get(key("p1")).revision(), pod(2))));
            System.gc();
            assertThat(read.get()).isNull();
        }
    }
}
