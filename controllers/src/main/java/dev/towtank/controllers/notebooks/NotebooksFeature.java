package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
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
import java.util.stream.Stream;

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
                read create | build.openshift.io | builds
                update patch | build.openshift.io | builds/status
                read create patch | image.openshift.io | imagestreams
                read create patch | tekton.dev | pipelines
                read create delete | tekton.dev | pipelineruns
                read | tekton.dev | taskruns customruns
                update patch | tekton.dev | customruns/status customruns/finalizers
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
        var world = World.of(place.caches());
        var check = new ModelCheck(place.cluster(), place.timers(), place.meters());
        var followers = new Followers(place.cluster(), place.timers());
        var counting = new Counting(place);
        var artifacts = new RunArtifacts(place.cluster(), reports);
        var jobs = Controller.of(
                        "notebookvalidationjob-controller",
                        NotebookKinds.JOB,
                        job -> facts(job, told, world),
                        new NotebookReconciler())
                .wokenBy(Trigger.owned(Pods.KIND, NotebookKinds.JOB))
                .wokenBy(Trigger.owned(BuildKinds.CONFIG, NotebookKinds.JOB))
                .wokenBy(Trigger.owned(NotebookKinds.PIPELINE_RUN, NotebookKinds.JOB))
                .wokenBy(told)
                .doing(CheckModels.class, deed -> check.of(deed.job()))
                .doing(Follow.class, deed -> followers.of(deed.job()));
        var images = Controller.of(
                        "notebookimage-controller",
                        NotebookKinds.CUSTOM_RUN,
                        run -> new ImageRunReconciler.ImageRunFacts(
                                world.jobs.get(
                                        beside(run.object(), run.object().spec().string("customRef", "name"))),
                                world.builds.get(run.name())),
                        new ImageRunReconciler())
                .onlyFor(ImageRunReconciler::isMeant)
                .wokenBy(Trigger.owned(BuildKinds.BUILD, NotebookKinds.CUSTOM_RUN));
        return Running.of(jobs, images)
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

    /// The caches that facts are made of.
    private record World(
            Cache jobs, Cache pods, Cache configs, Cache builds, Cache runs, Cache taskRuns, Cache customRuns) {

        static World of(Caches caches) {
            return new World(
                    caches.of(NotebookKinds.JOB),
                    caches.of(Pods.KIND),
                    caches.of(BuildKinds.CONFIG),
                    caches.of(BuildKinds.BUILD),
                    caches.of(NotebookKinds.PIPELINE_RUN),
                    caches.of(NotebookKinds.TASK_RUN),
                    caches.of(NotebookKinds.CUSTOM_RUN));
        }

        /// Why a run failed, in the words of its first task that did.
        private Optional<String> problem(Resource run) {
            if (!PipelineBuilding.condition(run).string("status").equals("False")) {
                return Optional.empty();
            }
            return Stream.concat(taskRuns.ownedBy(run.uid()).stream(), customRuns.ownedBy(run.uid()).stream())
                    .filter(child ->
                            PipelineBuilding.condition(child).string("status").equals("False"))
                    .map(PipelineBuilding::problem)
                    .findFirst();
        }
    }

    private static NotebookFacts facts(
            Observed<Json.Obj> observed, Outside<RunReports.Question, Json.Obj> told, World world) {
        var job = new NotebookJob(observed.object());
        var pod = world.pods.get(beside(job.object(), job.podName()));
        var wanted = new NotebookBuild(job);
        var name = beside(job.object(), wanted.name());
        boolean isByPipeline = wanted.strategy().equals(NotebookBuild.PIPELINE_STRATEGY);
        var config = job.isBuilt() && !isByPipeline ? world.configs.get(name) : Optional.<Resource>empty();
        var run = job.isBuilt() && isByPipeline ? world.runs.get(name) : Optional.<Resource>empty();
        var build = config.flatMap(each -> world.builds.get(
                beside(job.object(), each.name() + "-" + each.status().integer("lastVersion"))));
        return new NotebookFacts(
                pod,
                pod.<Outside.Answer<Json.Obj>>map(found ->
                                told.ask(observed.name(), new RunReports.Question(found.uid(), Ending.isOver(found))))
                        .orElse(new Outside.Answer.Pending<>()),
                config,
                build,
                run,
                run.flatMap(world::problem));
    }

    private static ObjectName beside(Resource object, String name) {
        return new ObjectName(object.cluster(), object.namespace(), name);
    }
}
