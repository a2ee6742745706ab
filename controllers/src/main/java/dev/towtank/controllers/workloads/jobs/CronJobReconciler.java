package dev.towtank.controllers.workloads.jobs;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Children;
import dev.towtank.controllers.workloads.pods.StatusConditions;
import dev.towtank.controllers.workloads.pods.Times;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.batch.CronJobs;
import dev.towtank.model.kinds.batch.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Makes a Job each time a CronJob is due, and deletes the old ones.
///
/// The name of a Job tells the minute it was due, so a start is never made twice.
public final class CronJobReconciler implements Reconciler<Json.Obj, List<Resource>> {

    private static final String SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";
    private static final Duration LITTLE_LATER = Duration.ofMillis(100);

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, List<Resource> jobs, Instant now) {
        return new Look(primary.object(), jobs, now).run();
    }

    private static final class Look {
        private final Resource cronJob;
        private final List<Resource> jobs;
        private final Instant now;
        private final Plan.Builder plan = new Plan.Builder();
        private final List<Resource> active = new ArrayList<>();
        private Json.Obj status;

        Look(Resource cronJob, List<Resource> jobs, Instant now) {
            this.cronJob = cronJob;
            this.jobs = jobs;
            this.now = now;
            this.status = cronJob.status();
        }

        Plan run() {
            observeJobs();
            Optional<Instant> lookAgain = Optional.empty();
            if (!cronJob.isDeleting()) {
                cleanUp("Complete", "successfulJobsHistoryLimit");
                cleanUp("Failed", "failedJobsHistoryLimit");
                if (!cronJob.spec().flag("suspend")) {
                    var times = CronTimes.of(cronJob);
                    times.flatMap(known -> known.due(now)).ifPresent(this::start);
                    lookAgain = times.flatMap(known -> known.after(now)).map(next -> next.plus(LITTLE_LATER));
                }
            }
            var references = new Json.Arr(active.stream().map(Look::reference).toList());
            plan.setStatus(
                    CronJobs.KIND, cronJob, status.withOrWithout("active", references.isEmpty() ? null : references));
            return plan.build(lookAgain);
        }

        private void observeJobs() {
            var byTime = Pattern.compile(Pattern.quote(cronJob.name()) + "-[0-9]+");
            for (var job : jobs) {
                if (!JobReconciler.isFinished(job)) {
                    if (byTime.matcher(job.name()).matches()) {
                        active.add(job);
                    }
                    continue;
                }
                boolean complete = StatusConditions.of(job.status()).isTrue("Complete");
                if (wasActive(job.uid())) {
                    tell(
                            "SawCompletedJob",
                            "Saw completed job: " + job.name() + ", condition: " + (complete ? "Complete" : "Failed"));
                }
                if (complete) {
                    noteSuccess(job);
                }
            }
            for (var reference : cronJob.status().objects("active")) {
                if (jobs.stream().noneMatch(job -> job.uid().equals(reference.string("uid")))) {
                    tell("MissingJob", "Active job went missing: " + reference.string("name"));
                }
            }
        }

        private boolean wasActive(String uid) {
            return cronJob.status().objects("active").stream()
                    .anyMatch(reference -> reference.string("uid").equals(uid));
        }

        private void noteSuccess(Resource job) {
            var ended = Times.parse(job.status().get("completionTime"));
            var known = Times.parse(status.get("lastSuccessfulTime"));
            if (ended.isPresent()
                    && known.filter(last -> !ended.get().isAfter(last)).isEmpty()) {
                status = status.with("lastSuccessfulTime", Times.json(ended.get()));
            }
        }

        private void tell(String reason, String message) {
            plan.add(Change.Event.normal(cronJob, reason, message));
        }

        private void cleanUp(String condition, String limit) {
            if (!(cronJob.spec().get(limit) instanceof Json.Int(var most))) {
                return;
            }
            var byStart = Comparator.<Resource, String>comparing(
                            job -> job.status().has("startTime") ? job.status().string("startTime") : "~")
                    .thenComparing(Resource::name);
            var finished = jobs.stream()
                    .filter(job -> !job.isDeleting()
                            && StatusConditions.of(job.status()).isTrue(condition))
                    .sorted(byStart)
                    .toList();
            finished.stream().limit(Math.max(0, finished.size() - most)).forEach(this::delete);
        }

        private void delete(Resource job) {
            if (!job.isDeleting()) {
                plan.add(new Change.Delete(Jobs.KIND, job, Optional.of(Cluster.Propagation.BACKGROUND)));
                tell("SuccessfulDelete", "Deleted job " + job.name());
            }
        }

        private void start(CronTimes.Due due) {
            var name = cronJob.name() + "-" + due.minutes();
            boolean known = jobs.stream().anyMatch(job -> job.name().equals(name));
            var policy = cronJob.spec().string("concurrencyPolicy");
            if (!known && policy.equals("Forbid") && !active.isEmpty()) {
                return;
            }
            if (!known) {
                if (policy.equals("Replace")) {
                    active.forEach(this::delete);
                    active.clear();
                }
                if (due.many()) {
                    plan.add(Change.Event.warning(
                            cronJob,
                            "TooManyMissedTimes",
                            "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock"
                                    + " skew"));
                }
                plan.create(Jobs.KIND, job(name, due));
                tell("SuccessfulCreate", "Created job " + name);
            }
            status = status.with("lastScheduleTime", Times.json(due.moment().toInstant()));
        }

        private Resource job(String name, CronTimes.Due due) {
            var template = cronJob.spec().object("jobTemplate");
            var scheduled = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(due.moment());
            var metadata = Json.Obj.builder()
                    .put("name", name)
                    .putAll(Children.placed(
                            cronJob,
                            template.object("metadata").with(List.of("annotations", SCHEDULED), Json.of(scheduled))))
                    .build();
            return cronJob.with(Json.Obj.builder()
                    .put("apiVersion", Jobs.KIND.apiVersion())
                    .put("kind", Jobs.KIND.kind())
                    .put("metadata", metadata)
                    .put("spec", template.object("spec"))
                    .build());
        }

        private static Json reference(Resource job) {
            return Json.Obj.builder()
                    .put("apiVersion", Jobs.KIND.apiVersion())
                    .put("kind", Jobs.KIND.kind())
                    .putNonEmpty("namespace", job.namespace())
                    .put("name", job.name())
                    .put("uid", job.uid())
                    .build();
        }
    }
}
