package dev.towtank.archive.watch;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Finds what belongs to a run in the caches, and what of it is archived.
public final class FactsGathering {

    private final Cache pipelineRuns;
    private final Cache taskRuns;
    private final Cache customRuns;
    private final Cache pods;
    private final Told told;
    private final RunStore store;

    /// Where events are found. They are read when a run is archived; to follow them all would cost everybody.
    @FunctionalInterface
    public interface Told {

        /// About objects of these uids, or pods of these names, in the namespace of the run.
        List<Resource> about(Resource run, Set<String> uids, Set<String> pods);
    }

    public FactsGathering(Caches caches, Told told, RunStore store) {
        this.pipelineRuns = caches.of(RunKinds.PIPELINE_RUN);
        this.taskRuns = caches.of(RunKinds.TASK_RUN);
        this.customRuns = caches.of(RunKinds.CUSTOM_RUN);
        this.pods = caches.of(RunKinds.POD);
        this.told = told;
        this.store = store;
    }

    public RunFacts gather(Observed<Json.Obj> primary, WatchSettings settings) {
        var run = primary.object();
        boolean hasOwner = hasOwner(run);
        if (!run.isDeleting() && (hasOwner || !RunStatus.isDone(run))) {
            return new RunFacts(hasOwner, List.of(), List.of(), List.of(), archivedAsItIs(run, hasOwner, settings));
        }
        var children = run.kind().equals("PipelineRun")
                ? Stream.concat(taskRuns.ownedBy(run.uid()).stream(), customRuns.ownedBy(run.uid()).stream())
                        .toList()
                : List.<Resource>of();
        var members = Stream.concat(Stream.of(run), children.stream()).toList();
        var found = new ArrayList<Resource>();
        for (var member : members) {
            for (var name : Logs.podNames(member)) {
                pods.get(new ObjectName(run.cluster(), run.namespace(), name)).ifPresent(found::add);
            }
        }
        var archived = store.archived(run, children);
        boolean isComplete = !settings.events()
                || members.stream()
                        .allMatch(member -> Marks.digest(member, true).equals(archived.get(member.uid())));
        return new RunFacts(hasOwner, children, found, isComplete ? List.of() : events(run, members), archived);
    }

    private Map<String, String> archivedAsItIs(Resource run, boolean hasOwner, WatchSettings settings) {
        return hasOwner || !settings.incomplete() ? Map.of() : store.archived(run, List.of());
    }

    private boolean hasOwner(Resource run) {
        return run.owners().stream()
                .filter(owner -> owner.kind().equals("PipelineRun"))
                .anyMatch(owner -> pipelineRuns
                        .get(new ObjectName(run.cluster(), run.namespace(), owner.name()))
                        .filter(found -> found.uid().equals(owner.uid()))
                        .isPresent());
    }

    private List<Resource> events(Resource run, List<Resource> members) {
        var uids = new HashSet<String>();
        var names = new HashSet<String>();
        for (var member : members) {
            uids.add(member.uid());
            names.addAll(Logs.podNames(member));
        }
        return told.about(run, uids, names);
    }
}
