package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.matching.TektonFiles;
import dev.towtank.controllers.pipelinesascode.runs.RunReports;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.patch.Patch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Ends runs that nobody waits for any more.
final class Cancellation {

    private static final String IN_PROGRESS = "cancel-in-progress";
    private static final String PENDING = "PipelineRunPending";

    private final Cluster cluster;
    private final Cache runs;

    Cancellation(Cluster cluster, Cache runs) {
        this.cluster = cluster;
        this.runs = runs;
    }

    /// Runs of a template of a repository, be they done or not.
    List<Resource> ofTemplate(Resource repository, String name) {
        return of(repository)
                .filter(each -> RunReports.annotation(each, "original-prname").equals(name))
                .toList();
    }

    private Stream<Resource> of(Resource repository) {
        return runs.list().stream()
                .filter(each -> each.namespace().equals(repository.namespace())
                        && each.cluster().equals(repository.cluster())
                        && RunReports.isOf(each, repository.name()));
    }

    /// Those of the same name and branch, before a new one is created: where the run or the settings say so.
    ///
    /// @throws IllegalArgumentException there is a limit, with which it does not go together
    void older(EventWork.Job job, Json.Obj run) {
        var event = job.event();
        var said = run.string("metadata", "annotations", PacKinds.PREFIX + IN_PROGRESS);
        if (!isWanted(said, job)) {
            return;
        }
        if (job.repository().spec().integer("concurrency_limit") > 0) {
            throw new IllegalArgumentException(
                    "cancel in progress is not supported with concurrency limit: leave out one of them");
        }
        ofTemplate(job.repository(), TektonFiles.name(run)).stream()
                .filter(each ->
                        branch(RunReports.annotation(each, "source-branch")).equals(branch(event.head()))
                                && isOfSamePullRequest(each, event))
                .forEach(this::cancel);
    }

    /// @param said by the run; empty where it says nothing
    private static boolean isWanted(String said, EventWork.Job job) {
        return said.isEmpty() ? job.settings().cancelsInProgress(!job.event().isPush()) : said.equals("true");
    }

    /// Forges name the branch of a push in full, and others where they tell of one do not.
    private static String branch(String ref) {
        return ref.startsWith("refs/heads/") ? ref.substring("refs/heads/".length()) : ref;
    }

    private static boolean isOfSamePullRequest(Resource run, GitEvent event) {
        return RunReports.annotation(run, "pull-request")
                .equals(event.pullRequest().map(String::valueOf).orElse(""));
    }

    /// Those of a pull request that was closed, where the run or the settings say that newer ones end it.
    List<String> closed(EventWork.Job job) {
        return cancelled(
                job,
                run -> isOfSamePullRequest(run, job.event())
                        && !RunReports.annotation(run, "event-type").equals(GitEvent.PUSH)
                        && isWanted(RunReports.annotation(run, IN_PROGRESS), job));
    }

    /// Those that a comment names: of a pull request, or of a commit.
    List<String> asked(EventWork.Job job) {
        var event = job.event();
        return cancelled(
                job,
                run -> isOfSamePullRequest(run, event)
                        && (event.pullRequest().isPresent()
                                || RunReports.annotation(run, "sha").equals(event.sha()))
                        && event.wanted()
                                .map(name -> RunReports.annotation(run, "original-prname")
                                        .equals(name))
                                .orElse(true));
    }

    private List<String> cancelled(EventWork.Job job, Predicate<Resource> isMeant) {
        var told = new ArrayList<String>();
        for (var run : of(job.repository()).filter(isMeant).toList()) {
            if (cancel(run)) {
                told.add("cancelled PipelineRun " + run.name());
            }
        }
        return told;
    }

    /// What is done or ends already is left alone.
    private boolean cancel(Resource run) {
        var status = run.spec().string("status");
        if (RunReports.isDone(run) || !(status.isEmpty() || status.equals(PENDING))) {
            return false;
        }
        var fields = Json.Obj.of("spec", Json.Obj.of("status", Json.of("CancelledRunFinally")));
        cluster.patch(PacKinds.PIPELINE_RUN, ObjectName.of(run), new Patch.Merge(fields), Cluster.WriteOptions.DEFAULT);
        return true;
    }
}
