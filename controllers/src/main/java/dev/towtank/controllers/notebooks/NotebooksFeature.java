package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Observer;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.controllers.git.source.SshCommand;
import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.controllers.notebooks.source.Followers;
import dev.towtank.controllers.notebooks.source.GitProgram;
import dev.towtank.controllers.notebooks.source.ModelCheck;
import dev.towtank.controllers.notebooks.source.NotebookProgram;
import dev.towtank.controllers.notebooks.source.RunArtifacts;
import dev.towtank.controllers.notebooks.source.RunReports;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.core.Pods;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
                read patch | mlops.mlops.dev | notebookvalidationjobs
                update patch | mlops.mlops.dev | notebookvalidationjobs/status notebookvalidationjobs/finalizers
                read create delete | core | pods
                read create patch | build.openshift.io | buildconfigs
                read | build.openshift.io | builds
                read create patch | image.openshift.io | imagestreams
                get | core | secrets configmaps
                get patch | apps | deployments statefulsets
                get patch | serving.kserve.io | inferenceservices
                get patch | argoproj.io | applications
                create | authorization.k8s.io | subjectaccessreviews
                """);
    }

    @Override
    public Map<String, String> programs() {
        return Map.of("towtank-notebook", "notebook_runner.py");
    }

    @Override
    public Running start(Place place) {
        var reports = new RunReports(place::directory);
        var told = new Outside<>("notebook-reports", reports, Outside.Limits.USUAL, place.timers());
        var pods = place.caches().of(Pods.KIND);
        var configs = place.caches().of(BuildKinds.CONFIG);
        var builds = place.caches().of(BuildKinds.BUILD);
        var check = new ModelCheck(place.cluster(), place.timers(), place.meters());
        var followers = new Followers(place.cluster(), place.timers());
        var counting = new Counting(place);
        var artifacts = new RunArtifacts(place.cluster(), reports);
        return Running.of(Controller.of(
                                "notebookvalidationjob-controller",
                                NotebookKinds.JOB,
                                job -> facts(job, pods, told, configs, builds),
                                new NotebookReconciler())
                        .wokenBy(Trigger.owned(Pods.KIND, NotebookKinds.JOB))
                        .wokenBy(Trigger.owned(BuildKinds.CONFIG, NotebookKinds.JOB))
                        .wokenBy(told)
                        .doing(CheckModels.class, deed -> check.of(deed.job()))
                        .doing(Follow.class, deed -> followers.of(deed.job())))
                .observing(List.of(Observer.of(NotebookKinds.JOB, counting::seen)))
                .playing(
                        new GitProgram(place.cluster(), reports, place.meters(), SshCommand.of(place.ground())),
                        new NotebookProgram(reports, told, place.timers()))
                .serving(new Endpoint(
                        NotebookReconciler.ARTIFACTS,
                        Endpoint.Access.AUTHENTICATED,
                        Endpoint.USUAL_BODY,
                        artifacts::answer))
                .closing(told::close);
    }

    private static NotebookFacts facts(
            Observed<Json.Obj> observed,
            Cache pods,
            Outside<RunReports.Question, Json.Obj> told,
            Cache configs,
            Cache builds) {
        var job = new NotebookJob(observed.object());
        var pod = pods.get(beside(job, job.podName()));
        var config =
                job.isBuilt() ? configs.get(beside(job, new NotebookBuild(job).name())) : Optional.<Resource>empty();
        var build = config.flatMap(
                each -> builds.get(beside(job, each.name() + "-" + each.status().integer("lastVersion"))));
        return new NotebookFacts(
                pod,
                pod.<Outside.Answer<Json.Obj>>map(found ->
                                told.ask(observed.name(), new RunReports.Question(found.uid(), Ending.isOver(found))))
                        .orElse(new Outside.Answer.Pending<>()),
                config,
                build);
    }

    private static ObjectName beside(NotebookJob job, String name) {
        return new ObjectName(job.object().cluster(), job.object().namespace(), name);
    }
}
