package dev.towtank.cluster.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change.Event;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class GatheredEventsTest {

    private final List<String> written = Collections.synchronizedList(new ArrayList<>());
    private final EventLog target = (event, part) -> written.add(event.about().uid() + " " + event.reason() + part);

    private static Resource pod(String uid) {
        return Resource.of(Json.Obj.of("kind", Json.of("Pod"), "metadata", Json.Obj.of("uid", Json.of(uid))));
    }

    @Test
    void writesEveryEventAndThoseOfAnObjectInTheirOrder() {
        try (var gathered = new GatheredEvents()) {
            var log = gathered.to(target);
            for (int i = 0; i < 1000; i++) {
                log.record(Event.normal(pod("a"), "r" + i, ""), "");
                log.record(Event.normal(pod("b"), "r" + i, ""), "{x}");
            }
        }

        assertThat(written).hasSize(2000);
        for (int i = 0; i < 999; i++) {
            assertThat(written).containsSubsequence("a r" + i, "a r" + (i + 1));
            assertThat(written).containsSubsequence("b r" + i + "{x}", "b r" + (i + 1) + "{x}");
        }
    }

    @Test
    void whatOneHasToldOfAnObjectGoesTogether() throws Exception {
        var calls = Collections.synchronizedList(new ArrayList<String>());
        var busy = new CountDownLatch(1);
        var told = new CountDownLatch(1);
        try (var gathered = new GatheredEvents()) {
            gathered.to((_, _) -> {
                        busy.countDown();
                        try {
                            told.await();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    })
                    .record(Event.warning(pod("c"), "Waits", ""));
            busy.await();
            var node = gathered.to(new Teller("node", calls));
            var scheduler = gathered.to(new Teller("scheduler", calls));
            scheduler.record(Event.normal(pod("a"), "Scheduled", ""));
            node.record(Event.normal(pod("a"), "Pulled", ""));
            node.record(Event.normal(pod("b"), "Killing", ""));
            node.record(Event.normal(pod("a"), "Started", ""));
            told.countDown();
        }

        assertThat(calls)
                .contains("node Killing", "node Pulled Started")
                .containsSubsequence("scheduler Scheduled", "node Pulled Started");
    }

    private record Teller(String name, List<String> calls) implements EventLog {
        @Override
        public void record(Event event, String part) {
            throw new AssertionError("one by one");
        }

        @Override
        public void record(List<Told> together) {
            calls.add(name
                    + together.stream().map(told -> " " + told.event().reason()).collect(Collectors.joining()));
        }
    }

    @Test
    void aWarningComesWithWhatWasToldBefore() throws Exception {
        var warned = new CountDownLatch(1);
        try (var gathered = new GatheredEvents()) {
            var log = gathered.to((event, part) -> {
                target.record(event, part);
                if (event.reason().equals("Bad")) {
                    warned.countDown();
                }
            });
            log.record(Event.normal(pod("a"), "Good", ""));
            log.record(Event.warning(pod("a"), "Bad", ""));
            warned.await();

            assertThat(written).containsExactly("a Good", "a Bad");
        }
    }

    @Test
    void whatTheyAreAboutIsReadWhenTheyAreTold() {
        var forgotten = new AtomicBoolean();
        var pod = JsonText.parseObject("""
                {"apiVersion":"v1","kind":"Pod","spec":{},
                 "metadata":{"name":"web","namespace":"shop","uid":"u","resourceVersion":"7"}}
                """);
        var about = Resource.kept(LogicalCluster.DEFAULT, () -> forgotten.get() ? Json.Obj.EMPTY : pod);
        var told = new ArrayList<Resource>();
        try (var gathered = new GatheredEvents()) {
            gathered.to((event, _) -> told.add(event.about())).record(Event.normal(about, "Good", ""));
            forgotten.set(true);
        }

        assertThat(told).containsExactly(Resource.of(pod.without("spec")));
    }

    @Test
    void whatComesAfterItsEndIsCounted() {
        var gathered = new GatheredEvents();
        gathered.close();
        gathered.to(target).record(Event.normal(pod("a"), "Late", ""));

        assertThat(gathered.dropped()).isEqualTo(1);
        assertThat(written).isEmpty();
    }
}
