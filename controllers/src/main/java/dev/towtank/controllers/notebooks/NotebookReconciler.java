package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.notebooks.api.Follower;
import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Runs a job's notebook in a pod, once for each state of the job's spec; again only where the network was the trouble.
final class NotebookReconciler implements Reconciler<Json.Obj, NotebookFacts> {

    /// Where artefacts are, below the server's address.
    static final String ARTIFACTS = "/notebooks";

    private static final int MOST_RETRIES = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final Duration GRACE = Duration.ofSeconds(90);

    /// Why a container does not start, where waiting will not help it.
    private static final List<String> STUCK = List.of(
            "CreateContainerConfigError",
            "InvalidImageName",
            "ErrImagePull",
            "ImagePullBackOff",
            "CreateContainerError");

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, NotebookFacts facts, Instant now) {
        var job = new NotebookJob(observed.object());
        if (observed.object().isDeleting()) {
            return Plan.none();
        }
        var status = new JobStatus(job, now);
        if (job.isDone() && !job.isChanged()) {
            var wave = new Wave(job).told();
            return wave.isNone() ? followed(job) : wave;
        }
        if (job.phase().isEmpty() || job.isChanged()) {
            return begun(job, facts, status);
        }
        return facts.pod()
                .map(pod -> withPod(job, pod, facts, status, now))
                .orElseGet(() -> withoutPod(job, facts, status, now));
    }

    /// Only when the success is written: what follows may look for it.
    private static Plan followed(NotebookJob job) {
        var object = job.object();
        if (!job.phase().equals("Succeeded")
                || !object.annotations().containsKey(Follower.ANNOTATION)
                || job.status().has("onSuccessTriggers")) {
            return Plan.none();
        }
        return Plan.of(new Change.ActOnce(NotebookKinds.JOB, object, new Follow(object), new Followed(job)));
    }

    private record Followed(NotebookJob job) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            var told = result instanceof Json.Arr
                    ? result
                    : Json.Arr.of(Json.Obj.of("result", Json.of("unknown: the server ended meanwhile")));
            return Plan.of(new Change.SetStatus(
                    NotebookKinds.JOB, job.object(), job.status().with("onSuccessTriggers", told)));
        }
    }

    /// A pod of an earlier run goes first.
    private static Plan begun(NotebookJob job, NotebookFacts facts, JobStatus status) {
        var old = facts.pod().filter(pod -> isOf(job, pod) && !isOfThisGeneration(job, pod));
        return old.map(pod -> Plan.none().delete(Pods.KIND, pod))
                .orElse(Plan.none())
                .then(new Wave(job).forgotten())
                .setStatus(NotebookKinds.JOB, job.object(), status.begun());
    }

    static boolean isOf(NotebookJob job, Resource child) {
        return child.controller()
                .filter(owner -> owner.uid().equals(job.object().uid()))
                .isPresent();
    }

    static boolean isOfThisGeneration(NotebookJob job, Resource child) {
        return child.annotations()
                .getOrDefault(ValidationPod.GENERATION, "")
                .equals(Long.toString(job.object().generation()));
    }

    private static Plan withoutPod(NotebookJob job, NotebookFacts facts, JobStatus status, Instant now) {
        if (job.phase().equals("ValidationRunning")) {
            return ended(
                    job,
                    status,
                    Ending.failed("PodDeleted", "The pod was deleted while the notebook ran."),
                    Json.Obj.EMPTY);
        }
        var due = job.moment("lastRetryTime").orElse(now);
        if (due.isAfter(now)) {
            return Plan.lookAgainAt(due);
        }
        return job.isBuilt() && !job.phase().equals("BuildComplete")
                ? new Building(job, facts, status, now).plan()
                : Plan.of(new Change.TryCreate(Pods.KIND, ValidationPod.of(job), new Refused(job, status)));
    }

    /// What the server does not let be run is told, and not tried again.
    private record Refused(NotebookJob job, JobStatus status) implements Change.Alternative {
        @Override
        public Plan after(StatusError refusal) {
            return ended(
                    job, status, Ending.failed("PodRefused", String.valueOf(refusal.getMessage())), Json.Obj.EMPTY);
        }
    }

    private static Plan withPod(NotebookJob job, Resource pod, NotebookFacts facts, JobStatus status, Instant now) {
        if (!isOf(job, pod)) {
            var message =
                    "There is a pod %s already, which is not of this job: delete one of them.".formatted(pod.name());
            return ended(job, status, Ending.failed("PodNameTaken", message), Json.Obj.EMPTY);
        }
        if (pod.isDeleting() || !isOfThisGeneration(job, pod)) {
            return isOfThisGeneration(job, pod) && job.phase().equals("ValidationRunning")
                    ? Plan.none()
                    : Plan.none().delete(Pods.KIND, pod);
        }
        if (facts.report() instanceof Outside.Answer.Pending<Json.Obj>) {
            return Plan.none();
        }
        var report = facts.report().newest().orElse(Json.Obj.EMPTY);
        var ending = Ending.of(pod, report);
        if (ending.isPresent()) {
            if ((ending.get().isPassing() || job.isAlwaysRetried(ending.get()))
                    && job.status().integer("retryCount") < MOST_RETRIES) {
                return retried(job, pod, status, ending.get(), now);
            }
            return ending.get().isSuccess() && job.spec().flag("modelValidation", "enabled")
                    ? Plan.of(new Change.Act(
                            new CheckModels(job.object()), new Checked(job, status, ending.get(), report)))
                    : ended(job, status, ending.get(), report);
        }
        return stuck(pod)
                .map(why -> ended(job, status, Ending.failed(why.string("reason"), why.string("message")), report)
                        .delete(Pods.KIND, pod))
                .or(() -> tooLate(job, pod, status, report, now))
                .orElseGet(() -> going(job, pod, status, report));
    }

    /// What the models said decides, too.
    private record Checked(NotebookJob job, JobStatus status, Ending ending, Json.Obj report) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            var told = result instanceof Json.Obj object ? object : Json.Obj.EMPTY;
            var problems = told.objects("models").stream()
                    .map(model -> model.string("message"))
                    .filter(message -> !message.isEmpty())
                    .toList();
            var verdict = told.flag("success")
                    ? ending
                    : Ending.failed("ModelValidationFailed", "Model validation failed: " + String.join("; ", problems));
            return ended(job, status, verdict, report.with("modelValidationResult", told));
        }
    }

    private static Plan going(NotebookJob job, Resource pod, JobStatus status, Json.Obj report) {
        var next =
                pod.status().string("phase").equals("Running") ? status.running(report) : status.waiting(waiting(pod));
        return Plan.lookAgainAt(end(job)).setStatus(NotebookKinds.JOB, job.object(), next);
    }

    private static String waiting(Resource pod) {
        return pod.status().objects("conditions").stream()
                .filter(each -> each.string("type").equals("PodScheduled")
                        && each.string("status").equals("False"))
                .map(each -> "The pod cannot start: " + each.string("message"))
                .findFirst()
                .orElse("The pod " + pod.name() + " is starting");
    }

    /// Each attempt has the whole timeout: the pauses between them may be longer than that.
    private static Instant attemptedAt(NotebookJob job) {
        var begun = job.startTime().orElse(Instant.EPOCH);
        return job.moment("lastRetryTime").filter(begun::isBefore).orElse(begun);
    }

    private static Instant end(NotebookJob job) {
        var building = job.isBuilt() ? new NotebookBuild(job).timeout() : Duration.ZERO;
        return attemptedAt(job).plus(building).plus(job.timeout()).plus(GRACE);
    }

    /// A pod that never starts has a timeout, too.
    private static Optional<Plan> tooLate(
            NotebookJob job, Resource pod, JobStatus status, Json.Obj report, Instant now) {
        if (now.isBefore(end(job))) {
            return Optional.empty();
        }
        var message = "The notebook did not end within " + job.spec().string("timeout") + ".";
        return Optional.of(ended(job, status, Ending.failed("ValidationTimeout", message), report)
                .delete(Pods.KIND, pod));
    }

    private static Optional<Json.Obj> stuck(Resource pod) {
        return pod.status().objects("containerStatuses").stream()
                .map(container -> container.object("state", "waiting"))
                .filter(waiting -> STUCK.contains(waiting.string("reason")))
                .findFirst();
    }

    private static Plan retried(NotebookJob job, Resource pod, JobStatus status, Ending ending, Instant now) {
        var pause = FIRST_PAUSE.multipliedBy(1L << job.status().integer("retryCount"));
        return Plan.none()
                .setStatus(NotebookKinds.JOB, job.object(), status.retried(ending, now.plus(pause)))
                .delete(Pods.KIND, pod);
    }

    private static Plan ended(NotebookJob job, JobStatus status, Ending ending, Json.Obj report) {
        var object = job.object();
        var artifacts = report.size() == 0
                ? Optional.<String>empty()
                : Optional.of(ARTIFACTS + "/" + object.namespace() + "/" + object.name());
        return Plan.none()
                .setStatus(NotebookKinds.JOB, object, status.ended(ending, report, artifacts))
                .then(
                        ending.isSuccess()
                                ? Change.Event.normal(object, "ValidationSucceeded", ending.message())
                                : Change.Event.warning(object, "ValidationFailed", ending.message()));
    }
}
