package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.matching.TektonFiles;
import dev.towtank.controllers.pipelinesascode.runs.RunObjects;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.patch.Patch;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/// Creates the runs of one event, and tells the forge of each.
final class RunCreation {

    private static final System.Logger LOG = System.getLogger(RunCreation.class.getName());

    private final Cluster cluster;
    private final EventWork.Job job;
    private final Map<String, String> values;
    private final Optional<String> secret;

    /// @param values of placeholders, which the address of a console may name
    /// @param secret what the one with the token is called, where there shall be one
    RunCreation(Cluster cluster, EventWork.Job job, Map<String, String> values, Optional<String> secret) {
        this.cluster = cluster;
        this.job = job;
        this.values = Map.copyOf(values);
        this.secret = secret;
    }

    /// What was done.
    String create(Json.Obj run) throws InterruptedException {
        var event = job.event();
        var repository = job.repository();
        boolean queued = repository.spec().integer("concurrency_limit") > 0;
        var object = RunObjects.of(run, event, repository, queued, secret, job.installation());
        var created = created(new Resource(repository.cluster(), object));
        // Behind the run, so that nothing is left where it is refused; its pods wait for what they mount.
        var credentials = new GitSecrets.Credentials(
                repository.spec().string("url"), repository.spec().string("git_provider", "user"), job.token());
        secret.ifPresent(name -> GitSecrets.create(cluster, created, name, credentials));
        var told = "created PipelineRun " + created.name() + " for " + event.type() + " of " + event.sha();
        var url = job.settings().console(created.namespace(), created.name(), values);
        try {
            var check = job.forge()
                    .tell(Reporting.word(
                                    created,
                                    job.settings(),
                                    queued ? Word.State.PENDING : Word.State.RUNNING,
                                    queued ? "Pending" : "CI has Started",
                                    "")
                            .about(created.name(), url, ""));
            mark(created, url, check);
            return told;
        } catch (IOException e) {
            // The run runs all the same, and the forge hears how it ends.
            mark(created, url, "");
            return told + "; the forge could not be told: " + e.getMessage();
        }
    }

    private Resource created(Resource run) {
        boolean isOld = run.apiVersion().equals(PacKinds.OLD_PIPELINE_RUN.apiVersion());
        var kind = isOld ? PacKinds.OLD_PIPELINE_RUN : PacKinds.PIPELINE_RUN;
        var created = cluster.create(kind, run, Cluster.WriteOptions.DEFAULT);
        return isOld
                ? cluster.get(PacKinds.PIPELINE_RUN, ObjectName.of(created)).orElse(created)
                : created;
    }

    private void mark(Resource run, String url, String check) {
        var marks = Json.Obj.builder()
                .putNonEmpty(PacKinds.PREFIX + "log-url", url)
                .putNonEmpty(PacKinds.PREFIX + "check-run-id", check)
                .build();
        if (marks.size() > 0) {
            var fields = Json.Obj.of("metadata", Json.Obj.of("annotations", marks));
            cluster.patch(
                    PacKinds.PIPELINE_RUN, ObjectName.of(run), new Patch.Merge(fields), Cluster.WriteOptions.DEFAULT);
        }
    }

    /// Tells the forge that a run could not be created.
    void failed(Json.Obj run, String why) throws InterruptedException {
        var context = job.settings().applicationName() + " / " + TektonFiles.name(run);
        try {
            job.forge()
                    .tell(Word.of(
                            job.event().sha(),
                            Word.State.FAILURE,
                            context,
                            "Failed",
                            "There was an error creating the PipelineRun: <b>" + TektonFiles.name(run) + "</b>\n\n"
                                    + why.replace("<", "&lt;")));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "the forge could not be told of a run that failed: " + e.getMessage());
        }
    }
}
