package dev.towtank.archive.service;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.watch.ArchiveRunStore;
import dev.towtank.archive.watch.Archiving;
import dev.towtank.archive.watch.FactsGathering;
import dev.towtank.archive.watch.Logs;
import dev.towtank.archive.watch.RunFacts;
import dev.towtank.archive.watch.RunKinds;
import dev.towtank.archive.watch.RunReconciler;
import dev.towtank.archive.watch.RunStore;
import dev.towtank.archive.watch.WatchSettings;
import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Change;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.KindFollower;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Trigger;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Events;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Those who look at runs, one for each kind. While nothing is archived they are never woken.
final class RunControllers implements AutoCloseable {

    private static final String PIPELINE_RUN_LABEL = "tekton.dev/pipelineRun";

    private static final Cache.Index INVOLVED = new Cache.Index("involved object", event -> {
        var about = event.json().object("involvedObject");
        var uid = about.string("uid");
        return about.string("kind").equals("Pod") ? List.of(uid, podKey(event, about.string("name"))) : List.of(uid);
    });

    private final Place place;
    private final OpenArchive archive;
    private KindFollower.@Nullable Following told;

    RunControllers(Place place, OpenArchive archive) {
        this.place = place;
        this.archive = archive;
    }

    /// @param settings absent while nothing is archived
    private record Facts(Optional<WatchSettings> settings, RunFacts run) {}

    List<Controller<?, ?>> all() {
        var controllers = new ArrayList<Controller<?, ?>>();
        for (var kind : RunKinds.RUNS) {
            controllers.add(controller(kind));
        }
        return controllers;
    }

    private Controller<Json.Obj, Facts> controller(Kind<Json.Obj> kind) {
        var runs = place.caches().of(kind);
        var gathering = new FactsGathering(place.caches(), this::events, new LateStore());
        return Controller.of(
                        "archive-" + kind.kind().toLowerCase(Locale.ROOT),
                        kind,
                        run -> facts(run, gathering),
                        RunControllers::decide)
                .onlyFor(run -> isHere(run) && (isOn() || RunReconciler.isHeld(run)))
                .wokenBy(Trigger.of(ResultKinds.TEKTON_RESULT, result -> all(runs, result)))
                .wokenBy(Trigger.of(RunKinds.POD, pod -> isOn() && isHere(pod) ? ofPod(kind, pod) : List.of()))
                .wokenBy(Trigger.of(
                        RunKinds.TASK_RUN, child -> isOn() && isHere(child) ? ofChild(kind, child) : List.of()))
                .wokenBy(Trigger.of(
                        RunKinds.CUSTOM_RUN, child -> isOn() && isHere(child) ? ofChild(kind, child) : List.of()))
                .doing(Archiving.class, this::archived);
    }

    private boolean isOn() {
        return archive.switchedOnBy().isPresent();
    }

    private static boolean isHere(Resource object) {
        return object.cluster().equals(LogicalCluster.DEFAULT);
    }

    private static List<ObjectName> all(Cache runs, Resource result) {
        return isHere(result)
                ? runs.list().stream()
                        .filter(RunControllers::isHere)
                        .map(ObjectName::of)
                        .toList()
                : List.of();
    }

    /// A pod that has ended may be the last that its run has waited for.
    private static List<ObjectName> ofPod(Kind<Json.Obj> kind, Resource pod) {
        if (!RunReconciler.hasEnded(pod)) {
            return List.of();
        }
        return switch (kind.kind()) {
            case "TaskRun" ->
                pod.controller().filter(owner -> owner.kind().equals("TaskRun")).stream()
                        .map(owner -> new ObjectName(pod.cluster(), pod.namespace(), owner.name()))
                        .toList();
            case "PipelineRun" ->
                Optional.ofNullable(pod.labels().get(PIPELINE_RUN_LABEL)).stream()
                        .map(name -> new ObjectName(pod.cluster(), pod.namespace(), name))
                        .toList();
            default -> List.of();
        };
    }

    private static List<ObjectName> ofChild(Kind<Json.Obj> kind, Resource child) {
        return kind.kind().equals("PipelineRun") && RunReconciler.mayMatterToItsOwner(child)
                ? child.owners().stream()
                        .filter(owner -> owner.kind().equals("PipelineRun"))
                        .map(owner -> new ObjectName(child.cluster(), child.namespace(), owner.name()))
                        .toList()
                : List.of();
    }

    private Facts facts(Observed<Json.Obj> run, FactsGathering gathering) {
        var result = archive.switchedOnBy();
        if (result.isEmpty()) {
            return new Facts(Optional.empty(), RunFacts.NONE);
        }
        var settings = ArchiveSettings.of(result.get());
        if (!settings.problems().isEmpty()) {
            throw new StatusError(
                    StatusError.Reason.SERVICE_UNAVAILABLE,
                    "TektonResult result is wrong: " + settings.problems().getFirst());
        }
        try {
            return new Facts(Optional.of(settings.watch()), gathering.gather(run, settings.watch()));
        } catch (ArchiveRefusal e) {
            throw new UncheckedIOException(new IOException("the archive does not answer: " + e.text()));
        }
    }

    private static Plan decide(Observed<Json.Obj> run, Facts facts, Instant now) {
        if (facts.settings().isEmpty()) {
            // Nobody would let it go later.
            return RunReconciler.letGo(run.object());
        }
        var decision = new RunReconciler(facts.settings().get()).decide(run, facts.run(), now);
        if (decision.deed().isEmpty()) {
            return decision.plan();
        }
        var act = Plan.of(new Change.Act(decision.deed().get(), _ -> decision.plan()));
        // Where no change of the object asks for the next look, the archive has changed all the same.
        return decision.plan().changes().isEmpty() ? act.then(Plan.lookAgainAt(now)) : act;
    }

    private Json archived(Archiving deed) throws IOException {
        try {
            new LateStore().archive(deed);
            return Json.Obj.EMPTY;
        } catch (ArchiveRefusal e) {
            throw new IOException("cannot archive " + deed.run().describe() + ": " + e.text());
        }
    }

    private List<Resource> events(Resource run, Set<String> uids, Set<String> pods) {
        var cache = told().cache();
        return Stream.concat(
                        uids.stream().flatMap(uid -> cache.by(INVOLVED, uid).stream()),
                        pods.stream().flatMap(pod -> cache.by(INVOLVED, podKey(run, pod)).stream()))
                .distinct()
                .toList();
    }

    private static String podKey(Resource beside, String name) {
        return beside.cluster().id() + "/" + beside.namespace() + "/" + name;
    }

    // Events are followed from the first run on that is archived: whoever archives nothing has nothing to pay.
    private KindFollower.Following told() {
        KindFollower.Following present;
        synchronized (this) {
            present = told;
            if (present == null) {
                present = place.follower().follow(Events.KIND, (_, _) -> {});
                told = present;
            }
        }
        try {
            present.awaitSynced();
            return present;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusError(StatusError.Reason.SERVICE_UNAVAILABLE, "the server is about to end");
        }
    }

    @Override
    public synchronized void close() {
        if (told != null) {
            told.close();
        }
    }

    /// In the archive that is open when it is asked.
    private final class LateStore implements RunStore {

        private ArchiveRunStore store() {
            var settings = archive.switchedOnBy().map(ArchiveSettings::of);
            return new ArchiveRunStore(
                    archive.archive(),
                    settings.map(ArchiveSettings::watch).orElse(WatchSettings.DEFAULT),
                    new Logs(new NodeLogs()));
        }

        @Override
        public Map<String, String> archived(Resource run, Collection<Resource> children) {
            return store().archived(run, children);
        }

        @Override
        public void archive(Archiving deed) {
            store().archive(deed);
        }
    }

    private final class NodeLogs implements Logs.PodLogs {

        @Override
        public Optional<InputStream> open(Resource pod, String container) throws IOException {
            try {
                return Optional.of(place.pods().log(pod, whole(container)));
            } catch (StatusError e) {
                // It has never started, or is gone.
                if (e.is(StatusError.Reason.NOT_FOUND) || e.is(StatusError.Reason.BAD_REQUEST)) {
                    return Optional.empty();
                }
                throw new IOException(e.text(), e);
            }
        }

        @Override
        public boolean lacksBeginning(Resource pod, String container) throws IOException {
            try {
                return place.pods().lacksBeginning(pod, container);
            } catch (StatusError e) {
                throw new IOException(e.text(), e);
            }
        }

        private static PodAccess.LogRequest whole(String container) {
            return new PodAccess.LogRequest(
                    container,
                    false,
                    false,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty());
        }
    }
}
