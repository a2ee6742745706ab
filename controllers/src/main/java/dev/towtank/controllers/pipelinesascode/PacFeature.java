package dev.towtank.controllers.pipelinesascode;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Gate;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.runs.RunReports;
import dev.towtank.controllers.pipelinesascode.source.Configuration;
import dev.towtank.controllers.pipelinesascode.source.EventQueue;
import dev.towtank.controllers.pipelinesascode.source.EventWork;
import dev.towtank.controllers.pipelinesascode.source.Listener;
import dev.towtank.controllers.pipelinesascode.source.Reporting;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Pods;
import java.util.List;
import java.util.Optional;

/// Pipelines-as-Code.
public final class PacFeature implements Feature {

    /// Runs by the Repository that they are of, and by the template in it.
    private static final Cache.Index OF_REPOSITORY = new Cache.Index("Repository", run -> {
        var repository = RunReports.annotation(run, "repository");
        return repository.isEmpty()
                ? List.of()
                : List.of(
                        key(run, repository),
                        key(run, repository) + "/" + RunReports.annotation(run, "original-prname"));
    });

    private static final Cache.Index OF_RUN = new Cache.Index(
            "PipelineRun",
            task -> Optional.ofNullable(task.labels().get("tekton.dev/pipelineRun")).stream()
                    .map(run -> key(task, run))
                    .toList());

    private static String key(Resource object, String name) {
        return object.cluster().id() + "/" + object.namespace() + "/" + name;
    }

    @Override
    public String name() {
        return "pipelinesascode";
    }

    @Override
    public String metricsPrefix() {
        return "pac_watcher";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(PacFeature.class, "crds/repositories.yaml", "crds/roles.yaml");
    }

    @Override
    public List<Gate> gates() {
        return List.of(new RepositoryGate());
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read patch | pipelinesascode.tekton.dev | repositories
                read create patch update delete | tekton.dev | pipelineruns
                read | tekton.dev | taskruns
                read | core | configmaps pods
                get create patch | core | secrets
                """);
    }

    @Override
    public Running start(Place place) {
        var runs = place.caches().of(PacKinds.PIPELINE_RUN);
        var tasks = place.caches().of(PacKinds.TASK_RUN);
        var pods = place.caches().of(Pods.KIND);
        var repositories = place.caches().of(PacKinds.REPOSITORY);
        var configuration = new Configuration(
                place.cluster(), place.caches().of(ConfigMaps.KIND), repositories, place.timers(), place.meters());
        var queue = new EventQueue(new EventWork(place.cluster(), runs, configuration), place.events());
        var reporting = new Reporting(configuration, place.pods(), pods);
        var metrics = new PacMetrics(place.meters(), runs);
        return Running.of(
                        reports(runs, tasks, repositories, configuration, reporting, metrics),
                        queue(runs, configuration))
                .serving(new Listener(repositories, configuration, queue).endpoint())
                .closing(queue::close);
    }

    private static boolean isOurs(Resource run) {
        return run.cluster().equals(LogicalCluster.DEFAULT)
                && !RunReports.annotation(run, "repository").isEmpty();
    }

    private static Controller<Json.Obj, RunReconciler.Facts> reports(
            Cache runs,
            Cache tasks,
            Cache repositories,
            Configuration configuration,
            Reporting reporting,
            PacMetrics metrics) {
        return Controller.of(
                        "pipelinesascode-reports",
                        PacKinds.PIPELINE_RUN,
                        run -> {
                            var object = run.object();
                            var repository = RunReports.annotation(object, "repository");
                            var template =
                                    key(object, repository) + "/" + RunReports.annotation(object, "original-prname");
                            return new RunReconciler.Facts(
                                    repositories.get(new ObjectName(object.cluster(), object.namespace(), repository)),
                                    runs.by(OF_REPOSITORY, template),
                                    tasks.by(OF_RUN, key(object, object.name())),
                                    configuration.settings());
                        },
                        new RunReconciler())
                .onlyFor(PacFeature::isOurs)
                .doing(RunReconciler.Report.class, deed -> {
                    if (deed.isOver()) {
                        reporting.ended(deed.repository(), deed.run(), deed.settings(), deed.taskRuns());
                        metrics.ended(deed.run());
                    } else {
                        reporting.started(deed.repository(), deed.run(), deed.settings());
                    }
                    return Json.Obj.EMPTY;
                });
    }

    private static Controller<Json.Obj, QueueReconciler.Facts> queue(Cache runs, Configuration configuration) {
        return Controller.of(
                        "pipelinesascode-queue",
                        PacKinds.REPOSITORY,
                        repository -> new QueueReconciler.Facts(
                                configuration.filled(repository.object()).spec().integer("concurrency_limit"),
                                runs.by(
                                        OF_REPOSITORY,
                                        key(
                                                repository.object(),
                                                repository.object().name()))),
                        new QueueReconciler())
                .onlyFor(repository -> repository.cluster().equals(LogicalCluster.DEFAULT))
                .wokenBy(Trigger.of(
                        PacKinds.PIPELINE_RUN,
                        run -> isOurs(run)
                                ? List.of(new ObjectName(
                                        run.cluster(), run.namespace(), RunReports.annotation(run, "repository")))
                                : List.of()));
    }
}
