package dev.towtank.cluster.loop;

import static dev.towtank.cluster.Things.MAPS;
import static dev.towtank.cluster.Things.THINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.ReadOnlyCluster;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Things;
import dev.towtank.cluster.loop.PlanExecutor.Outcome;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.Patch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanExecutorTest {

    private final FakeTimers timers = new FakeTimers();
    private final FakeCluster cluster = new FakeCluster(timers);
    private final EventRecorder events = new EventRecorder(cluster, timers, "tester");
    private final PlanExecutor executor = new PlanExecutor(cluster, events, "tester");
    private final Resource thing = create(Things.of(THINGS, "a", "{\"spec\":{\"size\":1}}"));

    private Resource create(Resource object) {
        return cluster.create(THINGS, object, Cluster.WriteOptions.DEFAULT);
    }

    private Resource thing() {
        return cluster.get(THINGS, ObjectName.of("n", "a")).orElseThrow();
    }

    private Resource child() {
        return Things.owned(Things.of(MAPS, "child", "{\"data\":{\"k\":\"v\"}}"), thing);
    }

    @Test
    void doesEverythingInOrder() {
        var plan = Plan.none()
                .create(MAPS, child())
                .patch(THINGS, thing, JsonText.parseObject("{\"metadata\":{\"labels\":{\"x\":\"y\"}}}"))
                .setStatus(THINGS, thing, JsonText.parseObject("{\"phase\":\"Done\"}"))
                .then(Change.Event.normal(thing, "Done", "all is done"));

        assertThat(executor.execute(plan)).isEqualTo(Outcome.DONE);

        assertThat(thing().labels()).containsEntry("x", "y");
        assertThat(thing().spec().integer("size")).isEqualTo(1);
        assertThat(thing().status().string("phase")).isEqualTo("Done");
        assertThat(cluster.get(MAPS, ObjectName.of("n", "child"))).isPresent();
        assertThat(cluster.list(EventRecorder.EVENTS, Selection.EVERYWHERE).items())
                .hasSize(1);
        executor.execute(Plan.none().delete(THINGS, thing()));
        assertThat(cluster.get(THINGS, ObjectName.of("n", "a"))).isEmpty();
    }

    @Test
    void takesAChildThatIsAlreadyThereForSuccess() {
        var plan = Plan.none().create(MAPS, child());

        assertThat(executor.execute(plan)).isEqualTo(Outcome.DONE);
        assertThat(executor.execute(plan)).isEqualTo(Outcome.DONE);
    }

    @Test
    void tellsOfAChildOnlyWhenItIsMade() {
        var plan =
                Plan.none().create(MAPS, child()).then(Change.Event.normal(thing, "SuccessfulCreate", "Created child"));

        executor.execute(plan);
        executor.execute(plan);

        assertThat(cluster.list(EventRecorder.EVENTS, Selection.EVERYWHERE).items())
                .singleElement()
                .satisfies(event -> assertThat(event.json().integer("count")).isEqualTo(1));
    }

    @Test
    void tellsTheOwnerWhyItsChildIsMissing() {
        var nameless =
                child().with(child().json().with("metadata", child().metadata().without("name")));

        assertThatThrownBy(() -> executor.execute(Plan.none().create(MAPS, nameless)))
                .isInstanceOf(StatusError.class);

        assertThat(cluster.list(EventRecorder.EVENTS, Selection.EVERYWHERE).items())
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.json().string("reason")).isEqualTo("FailedCreate");
                    assertThat(event.json().string("message"))
                            .startsWith("Error creating: ")
                            .contains("name or generateName is required");
                    assertThat(event.json().string("involvedObject", "uid")).isEqualTo(thing.uid());
                });
    }

    @Test
    void doesNotTakeSomebodyElsesObjectForItsChild() {
        cluster.create(MAPS, Things.of(MAPS, "child", "{}"), Cluster.WriteOptions.DEFAULT);

        assertThatThrownBy(() -> executor.execute(Plan.none().create(MAPS, child())))
                .isInstanceOf(StatusError.class)
                .hasMessage("ConfigMap n/child already exists and does not belong to a; delete or rename it");
    }

    @Test
    void decidesAgainWhileAnOldChildIsBeingDeleted() {
        var held = child();
        held = held.with(held.json()
                .with("metadata", held.metadata().with("finalizers", Json.Arr.of(Json.of("x.y/z")))));
        cluster.create(MAPS, held, Cluster.WriteOptions.DEFAULT);
        cluster.delete(MAPS, ObjectName.of(held), Cluster.DeleteOptions.DEFAULT);

        assertThat(executor.execute(Plan.none().create(MAPS, child()))).isEqualTo(Outcome.STALE);
    }

    @Test
    void decidesAgainWhenTheObjectHasChanged() {
        cluster.patch(
                THINGS,
                ObjectName.of(thing),
                new Patch.Merge(JsonText.parseObject("{\"spec\":{\"size\":2}}")),
                Cluster.WriteOptions.DEFAULT);
        var fields = JsonText.parseObject("{\"spec\":{\"color\":\"red\"}}");

        assertThat(executor.execute(Plan.none().patch(THINGS, thing, fields))).isEqualTo(Outcome.STALE);
        assertThat(executor.execute(Plan.none().setStatus(THINGS, thing, fields)))
                .isEqualTo(Outcome.STALE);
        assertThat(thing().spec().string("color")).isEmpty();
    }

    @Test
    void decidesAgainWhenTheObjectIsGoneOrAnotherOne() {
        var fields = JsonText.parseObject("{\"spec\":{\"color\":\"red\"}}");
        executor.execute(Plan.none().delete(THINGS, thing));

        assertThat(executor.execute(Plan.none().patch(THINGS, thing, fields))).isEqualTo(Outcome.STALE);
        assertThat(executor.execute(Plan.none().setStatus(THINGS, thing, fields)))
                .isEqualTo(Outcome.STALE);

        create(Things.of(THINGS, "a", "{}"));
        assertThat(executor.execute(Plan.none().patch(THINGS, thing, fields))).isEqualTo(Outcome.STALE);
        assertThat(executor.execute(Plan.none().delete(THINGS, thing))).isEqualTo(Outcome.STALE);
        assertThat(cluster.get(THINGS, ObjectName.of("n", "a"))).isPresent();
    }

    @Test
    void takesWhatIsGoneForDeleted() {
        var plan = Plan.none().delete(THINGS, thing);
        executor.execute(plan);

        assertThat(executor.execute(plan)).isEqualTo(Outcome.DONE);
    }

    @Test
    void stopsAtTheFirstChangeThatFails() {
        var nameless = Resource.of(JsonText.parseObject("{\"metadata\":{\"namespace\":\"n\"}}"));
        var plan = Plan.none().create(MAPS, nameless).create(MAPS, child());

        assertThatThrownBy(() -> executor.execute(plan)).isInstanceOf(StatusError.class);
        assertThat(cluster.get(MAPS, ObjectName.of("n", "child"))).isEmpty();
    }

    @Test
    void whatCannotBeToldTogetherIsToldOneByOne() {
        var event = Change.Event.normal(thing, "Pulled", "image is there");
        events.record(event);
        events.record(List.of(
                new EventLog.Told(event, ""), new EventLog.Told(Change.Event.warning(thing, "Failed", "why"), "")));

        assertThat(cluster.list(EventRecorder.EVENTS, Selection.EVERYWHERE).items())
                .extracting(one -> one.json().string("reason") + one.json().integer("count"))
                .containsExactlyInAnyOrder("Pulled2", "Failed1");
    }

    @Test
    void countsAnEventThatIsToldAgain() {
        var event = Change.Event.normal(thing, "Pulled", "image is there");
        events.record(event);
        timers.advance(Duration.ofMinutes(5));
        events.record(event);
        events.record(Change.Event.warning(thing, "Failed", "image is broken"));

        var written = cluster.list(EventRecorder.EVENTS, Selection.EVERYWHERE).items();
        assertThat(written).hasSize(2);
        var pulled = written.stream()
                .filter(one -> one.json().string("reason").equals("Pulled"))
                .findFirst()
                .orElseThrow();
        assertThat(pulled.json().without("metadata"))
                .isEqualTo(JsonText.parse("""
                {"apiVersion":"v1","kind":"Event",
                 "involvedObject":{"apiVersion":"example.com/v1","kind":"Thing","namespace":"n","name":"a",
                                   "uid":"%s","resourceVersion":"%s"},
                 "reason":"Pulled","message":"image is there","source":{"component":"tester"},
                 "firstTimestamp":"2026-01-01T00:00:00Z","lastTimestamp":"2026-01-01T00:05:00Z","count":2,
                 "type":"Normal","reportingComponent":"tester","reportingInstance":""}
                """.formatted(thing.uid(), thing.resourceVersion())));
    }

    @Test
    void dropsAnEventThatCannotBeWritten() {
        var broken = new EventRecorder(new ReadOnlyCluster(cluster), timers, "tester");

        broken.record(Change.Event.normal(thing, "Pulled", "image is there"));

        assertThat(broken.dropped()).isEqualTo(1);
    }

    @Test
    void keepsNamesAndMessagesOfEventsInTheirLimits() {
        var long253 = Things.of(THINGS, "x".repeat(253), "{}");

        events.record(Change.Event.normal(long253, "Pulled", "m".repeat(5000)));

        var event =
                cluster.list(EventRecorder.EVENTS, Selection.EVERYWHERE).items().getFirst();
        assertThat(event.name()).hasSizeLessThanOrEqualTo(253);
        assertThat(event.json().string("message")).hasSize(1024);
    }

    /// Says what the server said, once it listens again.
    private record Note(ReadOnlyCluster server, Resource about) implements Change.Alternative {
        @Override
        public Plan after(StatusError refusal) {
            server.open();
            return Plan.none().setStatus(THINGS, about, Json.Obj.of("phase", Json.of(refusal.text())));
        }
    }

    @Test
    void doesSomethingElseWhenTheServerRefusesForGood() {
        var server = new ReadOnlyCluster(cluster);
        var plan = Plan.none()
                .then(new Change.TryCreate(MAPS, child(), new Note(server, thing)))
                .create(MAPS, Things.owned(Things.of(MAPS, "second", "{}"), thing));

        assertThat(new PlanExecutor(server, events, "tester").execute(plan)).isEqualTo(Outcome.DONE);

        assertThat(thing().status().string("phase")).isEqualTo("read only");
        assertThat(cluster.get(MAPS, ObjectName.of("n", "second"))).isEmpty();
    }

    private record Knock(String door) implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("knock", Json.of(door));
        }
    }

    private PlanExecutor acting(Deed.Doer<Knock> doer) {
        return new PlanExecutor(cluster, (_, _) -> {}, "tester", Map.of(Knock.class, doer));
    }

    @Test
    void actsOutsideAndGoesOnWithWhatCameOfIt() {
        Deed.Sequel tells = result -> Plan.none().setStatus(THINGS, thing, Json.Obj.of("answer", result));

        acting(deed -> Json.of(deed.door() + " opens")).execute(Plan.of(new Change.Act(new Knock("front"), tells)));

        assertThat(thing().status().string("answer")).isEqualTo("front opens");
    }

    @Test
    void whatMustNotBeDoneTwiceIsNotWhenTheProcessDiesInBetween() {
        var done = new ArrayList<String>();
        var dying = acting(deed -> {
            done.add(deed.door());
            throw new IOException("died");
        });
        assertThatThrownBy(() -> dying.execute(once(thing(), Deed.Sequel.NONE))).hasMessageContaining("died");
        Deed.Sequel tells = result ->
                Plan.none().setStatus(THINGS, thing(), Json.Obj.of("isKnown", Json.of(!(result instanceof Json.Null))));

        assertThat(dying.execute(once(thing(), tells))).isEqualTo(Outcome.DONE);

        assertThat(done).containsExactly("front");
        assertThat(thing().status().at("isKnown")).isEqualTo(Json.of(false));
    }

    @Test
    void whatMustNotBeDoneTwiceIsNotDoneForAnOldState() {
        var old = thing();
        executor.execute(Plan.none().patch(THINGS, old, JsonText.parseObject("{\"spec\":{\"size\":7}}")));
        var done = new ArrayList<String>();

        var outcome = acting(deed -> {
                    done.add(deed.door());
                    return Json.Null.NULL;
                })
                .execute(once(old, Deed.Sequel.NONE));

        assertThat(outcome).isEqualTo(Outcome.STALE);
        assertThat(done).isEmpty();
    }

    private static Plan once(Resource seen, Deed.Sequel sequel) {
        return Plan.of(new Change.ActOnce(THINGS, seen, new Knock("front"), sequel));
    }
}
