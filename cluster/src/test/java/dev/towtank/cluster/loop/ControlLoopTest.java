package dev.towtank.cluster.loop;

import static dev.towtank.cluster.Things.MAPS;
import static dev.towtank.cluster.Things.THINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Backoff;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.FlakyCluster;
import dev.towtank.cluster.InHand;
import dev.towtank.cluster.Informer;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.ThingReconciler;
import dev.towtank.cluster.Things;
import dev.towtank.cluster.Trigger;
import dev.towtank.cluster.Waker;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ControlLoopTest {

    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60));

    private final FakeTimers timers = new FakeTimers();
    private final FakeCluster cluster = new FakeCluster(timers);
    private final Informers informers = new Informers(cluster, timers, Informer.Settings.USUAL);
    private final TriggerThread mapper = new TriggerThread();
    private final PlanExecutor executor = new PlanExecutor(cluster, new EventRecorder(cluster, timers, "t"), "t");
    private final List<ControlLoop> loops = new ArrayList<>();
    private final LogOfTheLoop log = new LogOfTheLoop();

    @BeforeEach
    void listenToTheLog() {
        log.logger.setUseParentHandlers(false);
        log.logger.addHandler(log);
    }

    @AfterEach
    void close() {
        loops.forEach(ControlLoop::close);
        informers.close();
        mapper.close();
        log.logger.removeHandler(log);
    }

    private static final class LogOfTheLoop extends Handler {
        private final Logger logger = Logger.getLogger(ControlLoop.class.getName());
        private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

        @Override
        public void publish(LogRecord line) {
            messages.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private ControlLoop start(Controller<?, ?> controller) {
        var loop = ControlLoop.start(
                controller, new ControlLoop.Parts(informers, List.of(), executor, timers, BACKOFF, mapper));
        loops.add(loop);
        return loop;
    }

    private Resource create(String name, String spec) {
        return cluster.create(THINGS, Things.of(THINGS, name, "{\"spec\":" + spec + "}"), Cluster.WriteOptions.DEFAULT);
    }

    private void patch(String name, String fields) {
        cluster.patch(
                THINGS,
                ObjectName.of("n", name),
                new Patch.Merge(JsonText.parseObject(fields)),
                Cluster.WriteOptions.DEFAULT);
    }

    private List<Resource> maps() {
        return cluster.list(MAPS, Selection.EVERYWHERE).items();
    }

    private Resource awaitThing(String name, Predicate<Resource> condition) throws InterruptedException {
        return await(THINGS, name, condition);
    }

    /// Waits on events of the server, while retries come due as if time passed.
    private Resource await(Kind<?> kind, String name, Predicate<Resource> condition) throws InterruptedException {
        var selection = Selection.EVERYWHERE.where("metadata.name=" + name);
        while (true) {
            var listing = cluster.list(kind, selection);
            for (var item : listing.items()) {
                if (condition.test(item)) {
                    return item;
                }
            }
            try (var watch = cluster.watch(kind, selection, listing.resourceVersion())) {
                watch.next(Duration.ofMillis(20));
            }
            timers.advance(Duration.ofSeconds(1));
        }
    }

    private void awaitGone(String name) throws InterruptedException {
        var selection = Selection.EVERYWHERE.where("metadata.name=" + name);
        for (var listing = cluster.list(THINGS, selection);
                !listing.items().isEmpty();
                listing = cluster.list(THINGS, selection)) {
            try (var watch = cluster.watch(THINGS, selection, listing.resourceVersion())) {
                watch.next(Duration.ofMillis(20));
            }
            timers.advance(Duration.ofSeconds(1));
        }
    }

    private static Predicate<Resource> phase(String phase, int ready) {
        return thing -> thing.status().string("phase").equals(phase)
                && thing.status().integer("ready") == ready
                && thing.status().integer("observedGeneration") == thing.generation();
    }

    @Test
    void makesTheWorldAsAnObjectWantsIt() throws InterruptedException {
        create("a", "{\"size\":3,\"color\":\"red\"}");
        start(ThingReconciler.controller(informers));
        awaitThing("a", phase("Ready", 3));
        assertThat(maps()).extracting(Resource::name).containsExactly("a-0", "a-1", "a-2");

        patch("a", "{\"spec\":{\"size\":1,\"color\":\"blue\"}}");
        awaitThing("a", phase("Ready", 1));
        assertThat(maps()).extracting(map -> map.json().string("data", "color")).containsExactly("blue");

        cluster.delete(THINGS, ObjectName.of("n", "a"), Cluster.DeleteOptions.DEFAULT);
        awaitGone("a");
        assertThat(maps()).isEmpty();
    }

    @Test
    void leavesAloneWhatIsSetAsideAndServesTheRest() throws InterruptedException {
        create("bomb", "{\"size\":1,\"color\":\"red\"}");
        create("bomb-too", "{\"size\":1,\"color\":\"red\"}");
        create("a", "{\"size\":1,\"color\":\"red\"}");
        var until = timers.instant().plusSeconds(10);
        InHand fearsRed = (_, thing) -> thing.name().startsWith("bomb")
                        && thing.spec().string("color").equals("red")
                        && timers.instant().isBefore(until)
                ? new InHand.SetAside(2, until)
                : (InHand.Turn) () -> {};
        var controller = ThingReconciler.controller(informers);
        loops.add(ControlLoop.start(
                controller, new ControlLoop.Parts(informers, List.of(), executor, timers, BACKOFF, mapper, fearsRed)));

        var mark = InHand.ANNOTATION + controller.name();
        awaitThing("bomb", thing -> thing.annotations().containsKey(mark));
        awaitThing("bomb-too", thing -> thing.annotations().containsKey(mark));
        awaitThing("a", phase("Ready", 1));
        assertThat(maps()).extracting(Resource::name).containsExactly("a-0");
        assertThat(cluster.list(EventRecorder.EVENTS, Selection.EVERYWHERE).items())
                .extracting(event -> event.json().string("reason"))
                .contains("SetAside");

        patch("bomb", "{\"spec\":{\"color\":\"blue\"}}");
        awaitThing(
                "bomb",
                thing -> phase("Ready", 1).test(thing) && !thing.annotations().containsKey(mark));

        timers.advance(Duration.ofSeconds(10));
        awaitThing(
                "bomb-too",
                thing -> phase("Ready", 1).test(thing) && !thing.annotations().containsKey(mark));
    }

    @Test
    void isWokenByWhatItOwns() throws InterruptedException {
        create("a", "{\"size\":1,\"color\":\"red\"}");
        start(ThingReconciler.controller(informers));
        awaitThing("a", phase("Ready", 1));
        var first = maps().getFirst().uid();

        cluster.delete(MAPS, ObjectName.of("n", "a-0"), Cluster.DeleteOptions.DEFAULT);

        await(MAPS, "a-0", map -> !map.uid().equals(first));
    }

    @Test
    void looksOnlyAtWhatConcernsIt() throws InterruptedException {
        var looked = new LinkedBlockingQueue<String>();
        start(deciding((thing, _, _) -> {
                    looked.add(
                            thing.object().name() + " " + thing.object().spec().string("color"));
                    return Plan.NONE;
                })
                .onlyFor(thing -> thing.spec().string("color").equals("red"))
                .wokenBy(Trigger.of(MAPS, map -> List.of(ObjectName.of("n", map.name())))));
        create("a", "{\"color\":\"blue\"}");
        create("b", "{\"color\":\"red\"}");
        assertThat(looked.take()).isEqualTo("b red");

        patch("a", "{\"spec\":{\"color\":\"red\"}}");
        assertThat(looked.take()).isEqualTo("a red");

        patch("a", "{\"spec\":{\"color\":\"green\"}}");
        cluster.create(MAPS, Things.of(MAPS, "a", "{}"), Cluster.WriteOptions.DEFAULT);
        assertThat(looked.take()).startsWith("a ");
    }

    @Test
    void looksAgainAtTheMomentItSaid() throws InterruptedException {
        create("a", "{\"size\":1,\"color\":\"red\",\"seconds\":3600}");
        start(ThingReconciler.controller(informers));
        awaitThing("a", phase("Ready", 1));

        timers.advance(Duration.ofHours(1));

        awaitThing("a", phase("Over", 0));
    }

    @Test
    void waitsNoLongerForTheMomentOfWhatIsGone() throws InterruptedException {
        start(ThingReconciler.controller(informers));
        create("a", "{\"size\":1,\"color\":\"red\"}");
        awaitThing("a", phase("Ready", 1));
        var farAway = timers.instant().plusSeconds(300_000);
        create("b", "{\"size\":1,\"color\":\"red\",\"seconds\":360000}");
        awaitThing("b", phase("Ready", 1));
        while (!timers.isAnyAfter(farAway)) { // a look at an old state is repeated a moment later
            timers.advance(Duration.ofMillis(10));
        }

        cluster.delete(THINGS, ObjectName.of("n", "b"), Cluster.DeleteOptions.DEFAULT);

        awaitGone("b");
        while (timers.isAnyAfter(farAway)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void tellsWhoeverWakesItWhatIsGone() throws InterruptedException {
        var gone = new LinkedBlockingQueue<ObjectName>();
        start(ThingReconciler.controller(informers).wokenBy(new Waker() {
            @Override
            public void subscribe(Consumer<ObjectName> wake) {}

            @Override
            public void forget(ObjectName name) {
                gone.add(name);
            }
        }));
        create("a", "{\"size\":1,\"color\":\"red\"}");
        awaitThing("a", phase("Ready", 1));

        cluster.delete(THINGS, ObjectName.of("n", "a"), Cluster.DeleteOptions.DEFAULT);

        awaitGone("a");
        assertThat(gone.take()).isEqualTo(ObjectName.of("n", "a"));
    }

    @Test
    void carriesManyObjectsWithManyWorkers() throws InterruptedException {
        start(ThingReconciler.controller(informers).withWorkers(8));
        for (int i = 0; i < 100; i++) {
            create("thing-" + i, "{\"size\":2,\"color\":\"red\"}");
        }
        for (int i = 0; i < 100; i++) {
            awaitThing("thing-" + i, phase("Ready", 2));
        }

        assertThat(maps()).hasSize(200);
    }

    @Test
    void hasAsManyWorkersAsAreWantedAtTheMoment() throws InterruptedException {
        var wanted = new AtomicInteger(1);
        var looking = new AtomicInteger();
        var most = new AtomicInteger();
        var looks = new LinkedBlockingQueue<Integer>();
        var ended = new LinkedBlockingQueue<Integer>();
        var go = new Semaphore(0);
        start(deciding((_, _, _) -> {
                    most.accumulateAndGet(looking.incrementAndGet(), Math::max);
                    looks.add(looking.get());
                    go.acquireUninterruptibly();
                    ended.add(looking.decrementAndGet());
                    return Plan.none();
                })
                .withWorkers(wanted::get));
        for (int i = 0; i < 20; i++) {
            create("thing-" + i, "{}");
        }
        looks.take();
        go.release();
        looks.take();
        assertThat(most).hasValue(1);

        wanted.set(5);
        go.release();
        for (int i = 0; i < 5; i++) {
            looks.take();
        }
        assertThat(looking).hasValue(5);

        wanted.set(1);
        go.release(4);
        for (int i = 0; i < 6; i++) {
            ended.take();
        }
        most.set(0);
        go.release(100);
        for (int seen = 7; seen < 20; seen++) {
            looks.take();
        }
        assertThat(most).hasValueLessThanOrEqualTo(1);
    }

    /// Writers keep changing the same few objects; in the end every child is as the last change wants it.
    @Test
    void losesNoChangeToARace() throws InterruptedException {
        start(ThingReconciler.controller(informers).withWorkers(4));
        for (int i = 0; i < 3; i++) {
            create("t" + i, "{\"size\":1,\"color\":\"c0\"}");
        }
        var writers = new ArrayList<Thread>();
        for (int i = 0; i < 3; i++) {
            var name = "t" + i;
            writers.add(Thread.ofVirtual().start(() -> {
                for (int round = 1; round <= 100; round++) {
                    patch(name, "{\"spec\":{\"color\":\"c%d\",\"size\":%d}}".formatted(round, round % 4 + 1));
                }
            }));
        }
        for (var writer : writers) {
            writer.join();
        }
        for (int i = 0; i < 3; i++) {
            awaitThing("t" + i, phase("Ready", 1));
        }

        assertThat(maps())
                .hasSize(3)
                .allSatisfy(
                        map -> assertThat(map.json().string("data", "color")).isEqualTo("c100"));
    }

    private Controller<ThingReconciler.Thing, String> deciding(Reconciler<ThingReconciler.Thing, String> reconciler) {
        return Controller.of("test", THINGS, _ -> "", reconciler);
    }

    @Test
    void neverLooksAtOneObjectTwiceAtOnce() throws InterruptedException {
        var busy = ConcurrentHashMap.<ObjectName>newKeySet();
        var clashes = new AtomicInteger();
        var looks = new LinkedBlockingQueue<String>();
        start(deciding((primary, _, _) -> {
                    if (!busy.add(primary.name())) {
                        clashes.incrementAndGet();
                    }
                    looks.add(primary.object().resourceVersion());
                    busy.remove(primary.name());
                    return Plan.none();
                })
                .withWorkers(8));
        create("a", "{}");
        for (int i = 0; i < 200; i++) {
            patch("a", "{\"spec\":{\"size\":%d}}".formatted(i));
        }
        var last = cluster.get(THINGS, ObjectName.of("n", "a")).orElseThrow().resourceVersion();
        while (!looks.take().equals(last)) {
            assertThat(clashes).hasValue(0);
        }
    }

    @Test
    void saysOnceWhatFailsAndTriesAgainLaterEachTime() throws InterruptedException {
        var looks = new LinkedBlockingQueue<Integer>();
        var count = new AtomicInteger();
        create("a", "{}");
        var loop = start(deciding((_, _, _) -> {
            looks.add(count.incrementAndGet());
            if (count.get() <= 3) {
                throw new IllegalStateException("oh no");
            }
            return Plan.none();
        }));

        // Besides the resync of the one informer, the retry waits.
        for (int seconds : new int[] {1, 2, 4}) {
            looks.take();
            timers.awaitWaiting(2);
            assertThat(timers.next()).contains(timers.instant().plusSeconds(seconds));
            timers.advance(Duration.ofSeconds(seconds));
        }
        assertThat(looks.take()).isEqualTo(4);

        assertThat(log.messages)
                .containsExactly("test: Thing n/a: java.lang.IllegalStateException: oh no; trying again");
        assertThat(loop.metrics().failures()).isEqualTo(3);
        assertThat(loop.metrics().looks()).isEqualTo(4);
    }

    @Test
    void goesOnWithOthersWhileOneFails() throws InterruptedException {
        var looks = new LinkedBlockingQueue<String>();
        start(deciding((primary, _, _) -> {
                    if (primary.object().name().equals("bad")) {
                        throw new StackOverflowError();
                    }
                    looks.add(primary.object().name());
                    return Plan.none();
                })
                .withWorkers(1));
        create("bad", "{}");
        create("good", "{}");

        assertThat(looks.take()).isEqualTo("good");
        assertThat(log.messages.take()).contains("Thing n/bad: java.lang.StackOverflowError");
    }

    @Test
    void saysWhatIsWrongWithAnObjectItCannotRead() throws InterruptedException {
        start(deciding((_, _, _) -> Plan.none()));
        create("bad", "{\"size\":\"three\"}");

        assertThat(log.messages.take())
                .contains("Thing n/bad")
                .contains("spec.size: expected a number, found \"three\"");
    }

    @Test
    void waitsAsLongAsTheServerAsks() throws InterruptedException {
        start(deciding((_, _, _) -> {
            throw new StatusError(
                    StatusError.Reason.TOO_MANY_REQUESTS, "slow down", Json.Obj.of("retryAfterSeconds", Json.of(30)));
        }));
        create("a", "{}");

        assertThat(log.messages.take()).isEqualTo("test: Thing n/a: slow down; trying again");
        timers.awaitWaiting(2);
        assertThat(timers.next()).contains(timers.instant().plusSeconds(30));
    }

    @Test
    void waitsForItsFactsBeforeTheFirstLook() throws InterruptedException {
        var flaky = new FlakyCluster(cluster);
        flaky.failNext(new IllegalStateException("down"));
        flaky.failNext(new IllegalStateException("down"));
        var slow = new Informer(flaky, MAPS, Selection.EVERYWHERE, timers, Informer.Settings.USUAL);
        slow.start();
        var synced = new LinkedBlockingQueue<Boolean>();
        create("a", "{}");
        var controller = deciding((_, _, _) -> {
            synced.add(slow.hasSynced());
            return Plan.none();
        });
        loops.add(ControlLoop.start(
                controller, new ControlLoop.Parts(informers, List.of(slow), executor, timers, BACKOFF, mapper)));

        // Two resyncs and the pause of the slow one.
        timers.awaitWaiting(3);
        assertThat(synced).isEmpty();
        timers.advance(Duration.ofSeconds(1));

        assertThat(synced.take()).isTrue();
        slow.close();
    }

    @Test
    void letsALookFinishWhenClosed() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        create("a", "{}");
        var loop = start(deciding((primary, _, _) -> {
            begun.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return Plan.none().setStatus(THINGS, primary.object(), Json.Obj.of("phase", Json.of("Done")));
        }));
        begun.await();

        var closer = Thread.ofVirtual().start(loop::close);
        goOn.countDown();
        closer.join();

        assertThat(cluster.get(THINGS, ObjectName.of("n", "a"))
                        .orElseThrow()
                        .status()
                        .string("phase"))
                .isEqualTo("Done");
        var looks = loop.metrics().looks();
        var seen = new CountDownLatch(1);
        informers.informer(THINGS).subscribe((_, now) -> {
            if (now != null && now.name().equals("b")) {
                seen.countDown();
            }
        });
        create("b", "{}");
        seen.await();
        assertThat(loop.metrics().looks()).isEqualTo(looks);
        assertThat(loop.metrics().waiting()).isZero();
    }

    @Test
    void closesBeforeItEverSynced() {
        var flaky = new FlakyCluster(cluster);
        for (int i = 0; i < 3; i++) {
            flaky.failNext(new IllegalStateException("down"));
        }
        try (var never = new Informers(flaky, timers, Informer.Settings.USUAL)) {
            var loop = ControlLoop.start(
                    deciding((_, _, _) -> Plan.none()),
                    new ControlLoop.Parts(never, List.of(), executor, timers, BACKOFF, mapper));

            loop.close();

            assertThat(loop.metrics().looks()).isZero();
        }
    }

    @Test
    void survivesATriggerThatFails() throws InterruptedException {
        var looks = new LinkedBlockingQueue<String>();
        start(deciding((primary, _, _) -> {
                    looks.add(primary.object().name());
                    return Plan.none();
                })
                .wokenBy(Trigger.of(MAPS, map -> {
                    if (map.name().equals("bad")) {
                        throw new IllegalStateException("trigger");
                    }
                    return List.of(ObjectName.of("n", "a"));
                })));
        create("a", "{}");
        looks.take();

        cluster.create(MAPS, Things.of(MAPS, "bad", "{}"), Cluster.WriteOptions.DEFAULT);
        cluster.create(MAPS, Things.of(MAPS, "good", "{}"), Cluster.WriteOptions.DEFAULT);

        assertThat(looks.take()).isEqualTo("a");
        assertThat(log.messages.take()).contains("the trigger on configmaps failed");
    }

    @Test
    void startsTheControllersOfFeatures() throws InterruptedException {
        var feature = new Feature() {
            @Override
            public String name() {
                return "things";
            }

            @Override
            public Running start(Place place) {
                return Running.of(ThingReconciler.controller(place.caches()));
            }
        };
        create("a", "{\"size\":1}");
        try (var running = ControlLoops.start(cluster, timers, List.of(feature))) {
            awaitThing("a", phase("Ready", 1));

            assertThat(running.metrics().get("things").changes()).isPositive();
        }
    }
}
