package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.Trigger;
import dev.towtank.cluster.pods.ImageCommands;
import dev.towtank.controllers.pipelines.api.Ref;
import dev.towtank.controllers.pipelines.api.TaskRun;
import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.PodLogs;
import dev.towtank.controllers.pipelines.runs.References;
import dev.towtank.controllers.pipelines.runs.SettingsCache;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.LimitRanges;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.util.List;
import java.util.Optional;

/// Looks things up for the reconciler of TaskRuns.
public final class TaskRunController {

    private final SettingsCache settings;
    private final References references;
    private final ImageCommands images;
    private final PodLogs logs;
    private final Cache pods;
    private final Cache accounts;
    private final Cache secrets;
    private final Cache claims;
    private final Cache limitRanges;

    private TaskRunController(Caches caches, ImageCommands images, PodLogs logs) {
        this.settings = new SettingsCache(caches);
        this.references = new References(caches);
        this.images = images;
        this.logs = logs;
        this.pods = caches.of(Pods.KIND);
        this.accounts = caches.of(ServiceAccounts.KIND);
        this.secrets = caches.of(Secrets.KIND);
        this.claims = caches.of(PersistentVolumeClaims.KIND);
        this.limitRanges = caches.of(LimitRanges.KIND);
    }

    public static Controller<TaskRun, TaskRunFacts> of(
            Caches caches, TektonImages images, ImageCommands commands, PodLogs logs) {
        var lookup = new TaskRunController(caches, commands, logs);
        return Controller.of("TaskRun", PipelineKinds.TASK_RUN, lookup::facts, new TaskRunReconciler(images))
                .wokenBy(Trigger.owned(Pods.KIND, PipelineKinds.TASK_RUN))
                .wokenBy(Trigger.owned(PipelineKinds.RESOLUTION_REQUEST, PipelineKinds.TASK_RUN))
                .wokenBy(logs.waker())
                .withWorkers(() -> lookup.settings.of(LogicalCluster.DEFAULT).threads());
    }

    private TaskRunFacts facts(Observed<TaskRun> observed) {
        var run = observed.object();
        return new TaskRunFacts(
                settings.of(run.cluster()), pod(run, observed.value()), new NamespaceWorld(run), images);
    }

    private Optional<Resource> pod(Resource run, TaskRun value) {
        var known = value.status().podName();
        var name = known.isEmpty()
                ? PodBuilder.name(run.name(), value.status().retriesStatus().size())
                : known;
        return pods.get(at(run, name))
                .filter(pod -> pod.controller()
                        .map(Resource.Owner::uid)
                        .filter(run.uid()::equals)
                        .isPresent());
    }

    private static ObjectName at(Resource run, String name) {
        return new ObjectName(run.cluster(), run.namespace(), name);
    }

    private final class NamespaceWorld implements TaskRunFacts.World {
        private final Resource run;

        NamespaceWorld(Resource run) {
            this.run = run;
        }

        @Override
        public Fetched task(Ref reference) {
            return references.task(run, run.name(), reference);
        }

        @Override
        public Fetched stepAction(Ref reference) {
            return references.stepAction(run, run.name(), reference);
        }

        @Override
        public Optional<Resource> serviceAccount(String name) {
            return accounts.get(at(run, name));
        }

        @Override
        public Optional<Resource> secret(String name) {
            return secrets.get(at(run, name));
        }

        @Override
        public boolean hasClaim(String name) {
            return claims.get(at(run, name)).isPresent();
        }

        @Override
        public List<Resource> limitRanges() {
            return limitRanges.in(run.cluster(), run.namespace());
        }

        @Override
        public Answer<String> log(Resource pod, String container) {
            return logs.ask(ObjectName.of(run), pod, container);
        }
    }
}
