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
import java.util.stream.IntStream;
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

    private void packAll(List<Stored> all) {
        all.forEach(each -> packing.add(each, true));
        while (packing.some()) {
            // until nothing is left
        }
    }

    private static List<Stored> pods(int count) {
        return IntStream.range(0, count).mapToObj(PackingTest::stored).toList();
    }

    @Test
    void givesBackWhatItPacked() {
        var all = pods(50);
        var texts = all.stream().map(Stored::bytes).toList();
        packAll(all);
        for (int i = 0; i < 50; i++) {
            assertThat(all.get(i).text()).isNull();
            assertThat(all.get(i).bytes()).isEqualTo(texts.get(i));
            assertThat(all.get(i).tree()).isEqualTo(pod(i));
            assertThat(all.get(i).metadata().string("name")).isEqualTo("p" + i);
        }
    }

    @Test
    void keepsOnlyWhatDiffersFromOthersOfItsKind() {
        var all = pods(50);
        int before = all.getFirst().weight();
        packAll(all);
        assertThat(all).allSatisfy(each -> assertThat(each.weight()).isLessThan(before / 10));
    }

    @Test
    void leavesAloneWhatWouldNotGetSmaller() {
        var random = new Random(1);
        for (int i = 0; i < 3; i++) {
            var noise = new byte[3000];
            random.nextBytes(noise);
            var unlike = new Stored(key("noise" + i), 1, noise);
            var other = new byte[3000];
            random.nextBytes(other);
            packAll(List.of(unlike, new Stored(key("other" + i), 1, other)));
            // The very first one is the sample that others are compared with.
            assertThat(unlike.text() != null).isEqualTo(i > 0);
        }
        var small = new Stored(key("small"), 1, JsonText.bytes(Json.Obj.EMPTY));
        packAll(List.of(small));
        assertThat(small.weight()).isEqualTo(2);
    }

    @Test
    void packsALittleAtATime() {
        var all = pods(60);
        all.forEach(each -> packing.add(each, true));
        int packed = 0;
        int steps = 0;
        while (packing.some()) {
            int now = (int) all.stream().filter(each -> each.text() == null).count();
            assertThat(now - packed).isBetween(1, 30);
            packed = now;
            steps++;
        }
        assertThat(packed).isEqualTo(60);
        assertThat(steps).isGreaterThan(2);
    }

    @Test
    void oneThatWaitsTwiceIsPackedOnce() {
        var pod = stored(1);
        packAll(List.of(pod, stored(2), pod, stored(3)));
        assertThat(pod.tree()).isEqualTo(pod(1));
    }

    @Test
    void packsWhatLastsApartFromWhatWillBeForgotten() {
        var all = pods(8);
        for (int i = 0; i < 8; i++) {
            packing.add(all.get(i), i % 2 == 0);
        }
        assertThat(packing.some()).isTrue();
        for (int i = 0; i < 8; i++) {
            assertThat(all.get(i).text() == null).isEqualTo(i % 2 == 0);
        }
        assertThat(packing.some()).isTrue();
        assertThat(all).allSatisfy(each -> assertThat(each.text()).isNull());
        assertThat(packing.some()).isFalse();
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
            packing.add(all.get(i), true);
        }
        for (int count = 1; count <= 3; count++) {
            assertThat(packing.some()).isTrue();
            assertThat(all).filteredOn(each -> each.text() == null).hasSize(count);
        }
        assertThat(packing.some()).isFalse();
        assertThat(all.get(2).bytes()).isEqualTo(large.getBytes(StandardCharsets.UTF_8));
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
