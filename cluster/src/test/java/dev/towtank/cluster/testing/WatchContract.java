package dev.towtank.cluster.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cluster.DeleteOptions;
import dev.towtank.cluster.Watch;
import dev.towtank.model.StatusError.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// What every [Cluster] tells about changes.
abstract class WatchContract extends ContractWorld {

    private static final Duration QUIET = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofMinutes(2);

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
