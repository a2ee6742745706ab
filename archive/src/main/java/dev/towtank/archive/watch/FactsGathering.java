package dev.towtank.archive.watch;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Facts;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Finds what belongs to a run in the caches, and what of it is archived.
public final class FactsGathering implements Facts<Json.Obj, RunFacts> {

    private static final Cache.Index INVOLVED = new Cache.Index(
            "involved object",
            event -> Stream.of(
                            event.json().string("involvedObject", "uid"),
                            event.namespace() + "/" + event.json().string("involvedObject", "name"))
                    .filter(key -> !key.isEmpty())
                    .toList());

    private final Cache pipelineRuns;
    private final Cache taskRuns;
    private final Cache customRuns;
    private final Cache pods;
    private final Cache events;
    private final RunStore store;

    public FactsGathering(Caches caches, RunStore store) {
        this.pipelineRuns = caches.of(RunKinds.PIPELINE_RUN);
        this.taskRuns = caches.of(RunKinds.TASK_RUN);
        this.customRuns = caches.of(RunKinds.CUSTOM_RUN);
        this.pods = caches.of(RunKinds.POD);
        this.events = caches.of(RunKinds.EVENT);
        this.store = store;
    }

    @Override
    public RunFacts gather(Observed<Json.Obj> primary) {
        var run = primary.object();
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
        return new RunFacts(hasOwner(run), children, found, events(members), store.archived(run, children));
    }

    private boolean hasOwner(Resource run) {
        return run.owners().stream()
                .filter(owner -> owner.kind().equals("PipelineRun"))
                .anyMatch(owner -> pipelineRuns
                        .get(new ObjectName(run.cluster(), run.namespace(), owner.name()))
                        .filter(found -> found.uid().equals(owner.uid()))
                        .isPresent());
    }

    private List<Resource> events(List<Resource> members) {
        var all = new ArrayList<Resource>();
        for (var member : members) {
            all.addAll(events.by(INVOLVED, member.uid()));
            for (var pod : Logs.podNames(member)) {
                all.addAll(events.by(INVOLVED, member.namespace() + "/" + pod));
            }
        }
        return all.stream().distinct().toList();
    }
}
