package dev.towtank.controllers.pipelinesascode;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
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
import java.util.List;

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

    private static String key(Resource run, String repository) {
        return run.cluster().id() + "/" + run.namespace() + "/" + repository;
    }

    @Override
    public String name() {
        return "pipelinesascode";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(PacFeature.class, "crds/repositories.yaml", "crds/roles.yaml");
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read | pipelinesascode.tekton.dev | repositories
                read create patch update delete | tekton.dev | pipelineruns
                read | core | configmaps
                get create patch | core | secrets
                read create update patch | core events.k8s.io | events
                """);
    }

    @Override
    public Running start(Place place) {
        var runs = place.caches().of(PacKinds.PIPELINE_RUN);
        var repositories = place.caches().of(PacKinds.REPOSITORY);
        var configuration = new Configuration(place.cluster(), place.caches().of(ConfigMaps.KIND));
        var queue = new EventQueue(new EventWork(place.cluster(), runs, configuration), place.events());
        return Running.of(reports(runs, repositories, configuration), queue(runs))
                .serving(new Listener(repositories, configuration, queue).endpoint())
                .closing(queue::close);
    }

    private static boolean isOurs(Resource run) {
        return run.cluster().equals(LogicalCluster.DEFAULT)
                && !RunReports.annotation(run, "repository").isEmpty();
    }

    private static Controller<Json.Obj, RunReconciler.Facts> reports(
            Cache runs, Cache repositories, Configuration configuration) {
        var reporting = new Reporting(configuration);
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
                                    configuration.settings());
                        },
                        new RunReconciler())
                .onlyFor(PacFeature::isOurs)
                .doing(RunReconciler.Report.class, deed -> {
                    var run = deed.run();
                    reporting.ended(
                            deed.repository(),
                            run,
                            deed.settings(),
                            RunReports.isCancelled(run),
                            RunReports.message(run));
                    return Json.Obj.EMPTY;
                });
    }

    private static Controller<Json.Obj, List<Resource>> queue(Cache runs) {
        return Controller.of(
                        "pipelinesascode-queue",
                        PacKinds.REPOSITORY,
                        repository -> runs.by(
                                OF_REPOSITORY,
                                key(repository.object(), repository.object().name())),
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
