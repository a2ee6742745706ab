package dev.towtank.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class InformerTest {

    private static final Kind<Json.Obj> MAPS = Kind.namespaced("", "v1", "ConfigMap", "configmaps");
    private static final Informer.Settings SETTINGS =
            new Informer.Settings(Duration.ofMinutes(10), new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(4)));

    private final FakeTimers timers = new FakeTimers();
    private final FakeCluster server = new FakeCluster(timers);
    private final FlakyCluster cluster = new FlakyCluster(server);
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final Informer informer = new Informer(cluster, MAPS, Selection.EVERYWHERE, timers, SETTINGS);

    @AfterEach
    void close() {
        informer.close();
    }

    private void start() throws InterruptedException {
        informer.subscribe((before, now) -> told.add(text(before) + " -> " + text(now)));
        informer.start();
        informer.awaitSynced();
    }

    private static String text(Resource resource) {
        return resource == null
                ? "none"
                : resource.name() + "=" + resource.json().string("data", "key");
    }

    private void create(String name, String value) {
        var json = JsonText.parseObject("{\"metadata\":{\"name\":\"%s\",\"namespace\":\"n\"},\"data\":{\"key\":\"%s\"}}"
                .formatted(name, value));
        server.create(MAPS, Resource.of(json), Cluster.WriteOptions.DEFAULT);
    }

    private void set(String name, String value) {
        server.patch(
                MAPS,
                ObjectName.of("n", name),
                new Patch.Merge(Json.Obj.of("data", Json.Obj.of("key", Json.of(value)))),
                Cluster.WriteOptions.DEFAULT);
    }

    private void delete(String name) {
        server.delete(MAPS, ObjectName.of("n", name), Cluster.DeleteOptions.DEFAULT);
    }

    @Test
    void tellsWhatIsThereAndWhatChanges() throws InterruptedException {
        create("a", "1");
        assertThat(informer.hasSynced()).isFalse();
        start();
        assertThat(told.take()).isEqualTo("none -> a=1");

        set("a", "2");
        create("b", "1");
        delete("a");

        assertThat(told.take()).isEqualTo("a=1 -> a=2");
        assertThat(told.take()).isEqualTo("none -> b=1");
        assertThat(told.take()).isEqualTo("a=2 -> none");
        assertThat(informer.cache().list()).extracting(Resource::name).containsExactly("b");
    }

    @Test
    void tellsLateSubscribersWhatIsThere() throws InterruptedException {
        create("a", "1");
        start();
        told.take();
        var late = new LinkedBlockingQueue<String>();

        informer.subscribe((before, now) -> late.add(text(before) + " -> " + text(now)));
        set("a", "2");

        assertThat(late.take()).isEqualTo("none -> a=1");
        assertThat(late.take()).isEqualTo("a=1 -> a=2");
    }

    @Test
    void goesOnAfterTheServerEndedTheWatch() throws InterruptedException {
        create("a", "1");
        start();
        told.take();

        server.endWatches();
        set("a", "2");

        assertThat(told.take()).isEqualTo("a=1 -> a=2");
        assertThat(cluster.lists()).isEqualTo(1);
    }

    @Test
    void tellsTheDifferencesAfterItsRevisionExpired() throws InterruptedException {
        create("same", "1");
        create("changed", "1");
        create("gone", "1");
        start();
        for (int i = 0; i < 3; i++) {
            told.take();
        }

        cluster.pauseReading();
        set("changed", "2");
        delete("gone");
        create("new", "1");
        server.forgetHistory();
        cluster.resumeReading();

        assertThat(told.take()).isEqualTo("changed=1 -> changed=2");
        assertThat(told.take()).isEqualTo("none -> new=1");
        assertThat(told.take()).isEqualTo("gone=1 -> none");
        assertThat(cluster.lists()).isEqualTo(2);
        set("same", "2");
        assertThat(told.take()).isEqualTo("same=1 -> same=2");
    }

    @Test
    void triesAgainLaterEachTimeWhileTheServerIsDown() throws InterruptedException {
        create("a", "1");
        var down = new StatusError(StatusError.Reason.SERVICE_UNAVAILABLE, "starting up");
        for (int i = 0; i < 4; i++) {
            cluster.failNext(down);
        }
        informer.subscribe((before, now) -> told.add(text(before) + " -> " + text(now)));
        informer.start();

        // The first failure is tried again at once; besides the pause the resync waits.
        for (int seconds : new int[] {1, 2, 4}) {
            timers.awaitWaiting(2);
            assertThat(timers.next()).contains(timers.instant().plusSeconds(seconds));
            assertThat(informer.hasSynced()).isFalse();
            timers.advance(Duration.ofSeconds(seconds));
        }
        assertThat(told.take()).isEqualTo("none -> a=1");
    }

    @Test
    void keepsServingWhatItKnowsWhileTheServerIsDown() throws InterruptedException {
        create("a", "1");
        start();
        told.take();

        cluster.failNext(new IllegalStateException("connection refused"));
        cluster.failNext(new IllegalStateException("connection refused"));
        server.endWatches();
        timers.awaitWaiting(2);
        assertThat(informer.hasSynced()).isTrue();
        assertThat(informer.cache().list()).hasSize(1);

        set("a", "2");
        timers.advance(Duration.ofSeconds(1));
        timers.awaitWaiting(2);
        timers.advance(Duration.ofSeconds(2));
        assertThat(told.take()).isEqualTo("a=1 -> a=2");
    }

    @Test
    void tellsEverythingAgainFromTimeToTime() throws InterruptedException {
        create("a", "1");
        start();
        told.take();

        timers.advance(Duration.ofMinutes(10));
        assertThat(told.take()).isEqualTo("a=1 -> a=1");
        timers.advance(Duration.ofMinutes(10));
        assertThat(told.take()).isEqualTo("a=1 -> a=1");
    }

    @Test
    void survivesAHandlerThatFails() throws InterruptedException {
        informer.subscribe((_, _) -> {
            throw new IllegalStateException("handler");
        });
        create("a", "1");
        start();

        assertThat(told.take()).isEqualTo("none -> a=1");
        set("a", "2");
        assertThat(told.take()).isEqualTo("a=1 -> a=2");
    }

    @Test
    void stopsReadingWhenClosed() throws InterruptedException {
        start();

        informer.close();

        cluster.awaitClosedWatches();
        timers.awaitWaiting(0);
    }

    @Test
    void aClosedSetStillKnowsItsMembersAndTakesNoNewOnes() {
        var secrets = Kind.namespaced("", "v1", "Secret", "secrets");
        var set = new Informers(server, timers, SETTINGS);
        var known = set.informer(MAPS);

        set.close();

        assertThat(set.informer(MAPS)).isSameAs(known);
        assertThatThrownBy(() -> set.informer(secrets)).hasMessage("the informers are closed");
    }
}
