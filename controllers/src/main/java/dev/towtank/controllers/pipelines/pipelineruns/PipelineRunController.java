package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.api.Ref;
import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.References;
import dev.towtank.controllers.pipelines.runs.SettingsCache;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Looks things up for the reconciler of PipelineRuns.
public final class PipelineRunController {

    private static final int DEEPEST_NESTING = 20;
    private static final int MOST_MEMORIES = 10_000;

    private final SettingsCache settings;
    private final References references;
    private final Cache pipelineRuns;
    private final Cache taskRuns;
    private final Cache customRuns;
    private final Cache claims;
    private final Map<String, Memory> memories = new ConcurrentHashMap<>();

    private PipelineRunController(Caches caches) {
        this.settings = new SettingsCache(caches);
        this.references = new References(caches);
        this.pipelineRuns = caches.of(PipelineKinds.PIPELINE_RUN);
        this.taskRuns = caches.of(PipelineKinds.TASK_RUN);
        this.customRuns = caches.of(PipelineKinds.CUSTOM_RUN);
        this.claims = caches.of(PersistentVolumeClaims.KIND);
    }

    public static Controller<PipelineRun, PipelineRunFacts> of(Caches caches) {
        var lookup = new PipelineRunController(caches);
        return Controller.of("PipelineRun", PipelineKinds.PIPELINE_RUN, lookup::facts, new PipelineRunReconciler())
                .wokenBy(Trigger.owned(PipelineKinds.TASK_RUN, PipelineKinds.PIPELINE_RUN))
                .wokenBy(Trigger.owned(PipelineKinds.CUSTOM_RUN, PipelineKinds.PIPELINE_RUN))
                .wokenBy(Trigger.owned(PipelineKinds.PIPELINE_RUN, PipelineKinds.PIPELINE_RUN))
                .wokenBy(Trigger.owned(PipelineKinds.RESOLUTION_REQUEST, PipelineKinds.PIPELINE_RUN))
                .withWorkers(() -> lookup.settings.of(LogicalCluster.DEFAULT).threads());
    }

    private PipelineRunFacts facts(Observed<PipelineRun> observed) {
        var run = observed.object();
        var isOver = observed.value().isDone() || run.isDeleting();
        if (isOver) {
            memories.remove(run.uid());
        }
        if (memories.size() > MOST_MEMORIES) {
            memories.clear(); // of runs that vanished between two looks; others are worked out again
        }
        if (isOver) {
            return facts(run, Children.NONE);
        }
        var memory = memories.computeIfAbsent(run.uid(), _ -> new Memory());
        var facts = facts(run, memory.children(children(run)));
        return facts.with(memory.draft(observed, facts));
    }

    private PipelineRunFacts facts(Resource run, Children children) {
        return new PipelineRunFacts(settings.of(run.cluster()), children, new RunWorld(run), Draft.NONE);
    }

    private List<Resource> children(Resource run) {
        var all = new ArrayList<>(taskRuns.ownedBy(run.uid()));
        all.addAll(customRuns.ownedBy(run.uid()));
        all.addAll(pipelineRuns.ownedBy(run.uid()));
        return all;
    }

    private final class RunWorld implements PipelineRunFacts.World {
        private final Resource run;

        RunWorld(Resource run) {
            this.run = run;
        }

        private ObjectName at(String name) {
            return new ObjectName(run.cluster(), run.namespace(), name);
        }

        @Override
        public Fetched pipeline(Ref reference) {
            return references.pipeline(run, run.name(), reference);
        }

        @Override
        public Fetched task(String name, Ref reference) {
            return references.task(run, name, reference);
        }

        @Override
        public Fetched childPipeline(String name, Ref reference) {
            return references.pipeline(run, name, reference);
        }

        @Override
        public boolean hasClaim(String name) {
            return claim(name).isPresent();
        }

        @Override
        public Optional<Resource> claim(String name) {
            return claims.get(at(name));
        }

        @Override
        public List<String> ancestors() {
            var names = new ArrayList<String>();
            var current = Optional.of(run);
            for (int depth = 0; depth < DEEPEST_NESTING && current.isPresent(); depth++) {
                var here = current.get();
                Optional.ofNullable(here.labels().get("tekton.dev/pipeline")).ifPresent(names::add);
                current = here.controller()
                        .filter(owner -> owner.kind().equals("PipelineRun"))
                        .flatMap(owner -> pipelineRuns.get(at(owner.name())));
            }
            return names;
        }
    }
}
