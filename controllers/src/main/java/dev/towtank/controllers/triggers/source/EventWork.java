package dev.towtank.controllers.triggers.source;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Selection;
import dev.towtank.controllers.triggers.events.Deviations;
import dev.towtank.controllers.triggers.events.Event;
import dev.towtank.controllers.triggers.events.EventRefusal;
import dev.towtank.controllers.triggers.events.OncePer;
import dev.towtank.controllers.triggers.events.Processing;
import dev.towtank.controllers.triggers.events.ScheduledTrigger;
import dev.towtank.controllers.triggers.events.TriggerOutcome;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Does what comes of an event, and tells what does not: creates the objects of its triggers, one trigger after the
/// other.
final class EventWork implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(EventWork.class.getName());
    private static final int LONGEST_MESSAGE = 512;

    private static final Map<String, Kind<Json.Obj>> RUNS = Map.of(
            "PipelineRun", Kind.namespaced("tekton.dev", "v1", "PipelineRun", "pipelineruns"),
            "TaskRun", Kind.namespaced("tekton.dev", "v1", "TaskRun", "taskruns"));

    private final CachedWorld.Sources sources;
    private final InstantSource clock;
    private final ReentrantLock one = new ReentrantLock();
    private final AccountApi api;
    private final Consumer<Change.Event> events;
    private final Telling telling;
    private final Deliveries deliveries;
    private final Ledger ledger = new Ledger();
    private final CloudEvents cloudEvents;
    private final Meters.Count created;

    EventWork(Place place, ExecutorService workers) {
        this.sources = CachedWorld.Sources.of(place.caches(), place.cluster(), place.timers());
        this.api = new AccountApi(
                place.cluster(), place.ground().address(), place.ground().authority(), place.timers());
        this.events = place.events();
        this.clock = place.timers();
        this.telling = new Telling(place.timers());
        this.deliveries = new Deliveries(place.timers());
        this.cloudEvents = new CloudEvents(sources.calls()::shared, workers);
        this.created = place.meters()
                .counter("eventlistener_triggered_resources_total", "Objects that events have led to, by kind", "kind");
    }

    Ledger ledger() {
        return ledger;
    }

    /// What happened, trigger by trigger.
    Json.Arr done(Resource listener, Event event) throws InterruptedException {
        cloudEvents.tell(listener, event, "started");
        var delivery = Deviations.of(listener).refusesReplays() ? Deliveries.idOf(event) : Optional.<String>empty();
        Json.Arr told;
        if (delivery.isPresent() && !deliveries.take(listener, delivery.get())) {
            told = Json.Arr.of(refused(listener, replayed(delivery.get())));
        } else {
            told = worked(listener, event);
            if (delivery.isPresent() && told.objects().stream().noneMatch(each -> each.flag("accepted"))) {
                deliveries.giveBack(listener, delivery.get());
            }
        }
        for (var trigger : told.objects()) {
            cloudEvents.tell(listener, event, trigger.flag("accepted") ? "successful" : "failed");
        }
        cloudEvents.tell(listener, event, "done");
        ledger.note(listener, event.id(), source(event), clock.instant(), told);
        return told;
    }

    private static TriggerOutcome.Refused replayed(String delivery) {
        return new TriggerOutcome.Refused(
                "*",
                EventRefusal.Code.FAILED_PRECONDITION,
                "the delivery " + delivery + " was taken before: it is not worked on twice",
                false);
    }

    // Who sent it says what it is in one of these.
    private static String source(Event event) {
        for (var header : new String[] {"X-Github-Event", "X-Gitlab-Event", "X-Event-Key", "Ce-Type"}) {
            var value = event.headers().first(header);
            if (!value.isEmpty()) {
                return value.length() > 100 ? value.substring(0, 100) : value;
            }
        }
        return "";
    }

    private Json.Arr worked(Resource listener, Event event) throws InterruptedException {
        var account = accountOf(listener);
        var user = "system:serviceaccount:" + listener.namespace() + ":" + account;
        var world = new CachedWorld(sources, listener, user);
        var told = new ArrayList<Json>();
        for (var outcome : new Processing(listener, world).of(event)) {
            told.add(
                    switch (outcome) {
                        case TriggerOutcome.Make make -> made(listener, account, make);
                        case TriggerOutcome.Refused refused -> refused(listener, refused);
                    });
        }
        return new Json.Arr(told);
    }

    /// Starts the template of a Trigger because it is time.
    ///
    /// @return what happened
    Json.Obj scheduled(Resource trigger, Instant due) throws InterruptedException {
        var written = trigger.spec().string("serviceAccountName");
        var account = written.isEmpty() ? "default" : written;
        var user = "system:serviceaccount:" + trigger.namespace() + ":" + account;
        var world = new CachedWorld(sources, trigger, user);
        var told = switch (new ScheduledTrigger(trigger, world).at(due)) {
            // It is the account itself that creates: nobody acts for anybody.
            case TriggerOutcome.Make make ->
                made(trigger, account, new TriggerOutcome.Make(make.trigger(), make.namespace(), "", make.objects()));
            case TriggerOutcome.Refused refused -> refused(trigger, refused);
        };
        ledger.note(trigger, "", "schedule", clock.instant(), Json.Arr.of(told));
        return told;
    }

    private static String accountOf(Resource listener) {
        var spec = listener.spec();
        var ofPod = spec.string("resources", "kubernetesResource", "spec", "template", "spec", "serviceAccountName");
        var own = ofPod.isEmpty() ? spec.string("serviceAccountName") : ofPod;
        var ofCustom = spec.string("resources", "customResource", "spec", "template", "spec", "serviceAccountName");
        return !own.isEmpty() ? own : ofCustom.isEmpty() ? "default" : ofCustom;
    }

    /// Where there may be one of something, others wait until it is told: two events at once are one too many.
    private Json.Obj made(Resource listener, String account, TriggerOutcome.Make make) throws InterruptedException {
        if (make.objects().stream().allMatch(object -> OncePer.key(object).isEmpty())) {
            return create(listener, account, make);
        }
        one.lockInterruptibly();
        try {
            return create(listener, account, make);
        } finally {
            one.unlock();
        }
    }

    private Optional<String> obstacle(Resource listener, Json.Obj wanted) {
        var kind = RUNS.get(wanted.string("kind"));
        if (kind == null || !wanted.string("apiVersion").startsWith(kind.group() + "/")) {
            return Optional.of("label " + OncePer.LABEL + " is for PipelineRuns and TaskRuns");
        }
        var selection = new Selection(
                Optional.of(listener.cluster()),
                Optional.of(wanted.string("metadata", "namespace")),
                OncePer.LABEL + "=" + OncePer.key(wanted).orElse(""),
                "");
        var alike = sources.cluster().list(kind, selection).items();
        return OncePer.obstacle(wanted, alike, clock.instant());
    }

    private Json.Obj create(Resource listener, String account, TriggerOutcome.Make make) throws InterruptedException {
        var actingFor =
                make.account().isEmpty() ? "" : "system:serviceaccount:" + make.namespace() + ":" + make.account();
        var creator = new AccountApi.Account(listener.cluster(), listener.namespace(), account, actingFor);
        var names = new ArrayList<Json>();
        for (var object : make.objects()) {
            try {
                var obstacle = OncePer.key(object).isEmpty() ? Optional.<String>empty() : obstacle(listener, object);
                if (obstacle.isPresent()) {
                    var code = EventRefusal.Code.FAILED_PRECONDITION;
                    return refused(listener, new TriggerOutcome.Refused(make.trigger(), code, obstacle.get(), true))
                            .with("resources", new Json.Arr(names));
                }
                var stored = Resource.of(api.create(creator, object));
                names.add(Json.of(stored.describe()));
                created.count(stored.kind());
            } catch (StatusError e) {
                var code = e.is(StatusError.Reason.FORBIDDEN)
                        ? EventRefusal.Code.PERMISSION_DENIED
                        : EventRefusal.Code.FAILED_PRECONDITION;
                var why = "couldn't create " + object.string("kind") + ": " + e.text();
                return refused(listener, new TriggerOutcome.Refused(make.trigger(), code, why, false))
                        .with("resources", new Json.Arr(names));
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, "no object for the listener " + listener.describe(), e);
                var why = "couldn't create " + object.string("kind") + ": the API did not answer";
                return refused(
                                listener,
                                new TriggerOutcome.Refused(make.trigger(), EventRefusal.Code.UNAVAILABLE, why, false))
                        .with("resources", new Json.Arr(names));
            }
        }
        return Json.Obj.builder()
                .put("trigger", make.trigger())
                .put("accepted", true)
                .put("resources", new Json.Arr(names))
                .build();
    }

    private Json.Obj refused(Resource listener, TriggerOutcome.Refused refused) {
        var why = refused.message();
        var message = "trigger \"" + refused.trigger() + "\": "
                + (why.length() > LONGEST_MESSAGE ? why.substring(0, LONGEST_MESSAGE) + "…" : why);
        if (telling.mayTell(listener.uid())) {
            events.accept(
                    refused.isUsual()
                            ? Change.Event.normal(listener, "EventFiltered", message)
                            : Change.Event.warning(listener, "EventRefused", message));
        }
        return Json.Obj.builder()
                .put("trigger", refused.trigger())
                .put("accepted", false)
                .put("code", refused.code().number())
                .put("message", why)
                .build();
    }

    @Override
    public void close() {
        api.close();
        sources.calls().close();
    }
}
