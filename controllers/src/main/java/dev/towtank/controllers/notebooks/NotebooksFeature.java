package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.controllers.notebooks.source.GitProgram;
import dev.towtank.controllers.notebooks.source.NotebookProgram;
import dev.towtank.controllers.notebooks.source.RunArtifacts;
import dev.towtank.controllers.notebooks.source.RunReports;
import dev.towtank.model.Json;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.core.Pods;
import java.util.List;

/// Notebooks that run in pods.
public final class NotebooksFeature implements Feature {

    @Override
    public String name() {
        return "notebooks";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(NotebooksFeature.class, "crds/notebookvalidationjobs.yaml", "crds/roles.yaml");
    }

    @Override
    public List<KindBehaviour> behaviours() {
        return List.of(new NotebookRules());
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read | mlops.mlops.dev | notebookvalidationjobs
                update patch | mlops.mlops.dev | notebookvalidationjobs/status notebookvalidationjobs/finalizers
                read create delete | core | pods
                get | core | secrets configmaps
                create | authorization.k8s.io | subjectaccessreviews
                create update patch | core events.k8s.io | events
                """);
    }

    @Override
    public Running start(Place place) {
        var reports = new RunReports(place::directory);
        var told = new Outside<>("notebook-reports", reports, Outside.Limits.USUAL, place.timers());
        var pods = place.caches().of(Pods.KIND);
        var artifacts = new RunArtifacts(place.cluster(), reports);
        return Running.of(Controller.of(
                                "notebookvalidationjob-controller",
                                NotebookKinds.JOB,
                                job -> facts(job, pods, told),
                                new NotebookReconciler())
                        .wokenBy(Trigger.owned(Pods.KIND, NotebookKinds.JOB))
                        .wokenBy(told))
                .playing(new GitProgram(place.cluster(), reports), new NotebookProgram(reports, told, place.timers()))
                .serving(new Endpoint(
                        NotebookReconciler.ARTIFACTS,
                        Endpoint.Access.AUTHENTICATED,
                        Endpoint.USUAL_BODY,
                        artifacts::answer))
                .closing(told::close);
    }

    private static NotebookFacts facts(Observed<Json.Obj> observed, Cache pods, Outside<String, Json.Obj> told) {
        var object = observed.object();
        var name = new ObjectName(object.cluster(), object.namespace(), new NotebookJob(object).podName());
        var pod = pods.get(name);
        return new NotebookFacts(
                pod,
                pod.<Outside.Answer<Json.Obj>>map(found -> told.ask(observed.name(), found.uid()))
                        .orElse(new Outside.Answer.Pending<>()));
    }
}
