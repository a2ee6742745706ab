package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.controllers.pipelinesascode.runs.RunReports;
import dev.towtank.controllers.pipelinesascode.runs.TaskTable;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Tells forges how runs have started and ended.
public final class Reporting {

    private final Configuration configuration;
    private final StepLogs logs;

    public Reporting(Configuration configuration, PodAccess access, Cache pods) {
        this.configuration = configuration;
        this.logs = new StepLogs(access, pods, configuration);
    }

    /// A run that waited may go on now.
    public void started(Resource repository, Resource run, PacSettings settings)
            throws IOException, InterruptedException {
        var filled = configuration.filled(repository);
        var event = event(run);
        if (event.isPresent()) {
            configuration
                    .forge(filled, event.get())
                    .forge()
                    .tell(word(run, settings, Word.State.RUNNING, "CI has Started", ""));
        }
    }

    /// @param taskRuns of the run
    public void ended(Resource repository, Resource run, PacSettings settings, List<Resource> taskRuns)
            throws IOException, InterruptedException {
        var filled = configuration.filled(repository);
        var event = event(run);
        if (event.isEmpty()) {
            return;
        }
        var state = RunReports.hasSucceeded(run)
                ? Word.State.SUCCESS
                : RunReports.isCancelled(run) ? Word.State.CANCELLED : Word.State.FAILURE;
        var title = switch (state) {
            case SUCCESS -> "Success";
            case CANCELLED -> "Cancelled";
            case FAILURE, PENDING, RUNNING, NEUTRAL -> "Failed";
        };
        var text = TaskTable.of(run, taskRuns, settings, logs.snippet(taskRuns, settings));
        var word = word(run, settings, state, title, text).with(logs.findings(taskRuns, settings));
        var forge = configuration.forge(filled, event.get()).forge();
        boolean isTold = true;
        try {
            forge.tell(word);
        } catch (Forges.Untold e) {
            isTold = false;
        }
        // GitLab shows a status where it is looked for; a comment is for those who would see none.
        if (!isTold || event.get().forge() != GitEvent.Forge.GITLAB) {
            comment(filled, run, event.get(), word, forge);
        }
    }

    static Word word(Resource run, PacSettings settings, Word.State state, String title, String text) {
        return Word.of(said(run, "sha"), state, RunReports.context(settings, run), title, text)
                .about(run.name(), said(run, "log-url"), said(run, "check-run-id"));
    }

    /// GitHub Apps say all of it in the check itself.
    private static void comment(Resource repository, Resource run, GitEvent event, Word word, Forges forge)
            throws IOException, InterruptedException {
        var number = said(run, "pull-request");
        var strategy = repository.spec().string("settings", section(event.forge()), "comment_strategy");
        boolean isChecked = forge instanceof GitHubForge github && github.isApp();
        if (isChecked || strategy.equals("disable_all") || !number.matches("[0-9]{1,18}")) {
            return;
        }
        if (strategy.equals("update")) {
            var marker = "<!-- pac-status-" + said(run, "original-prname") + " -->";
            forge.comment(
                    Long.parseLong(number),
                    marker + "\n**" + word.title() + ": " + said(run, "original-prname") + " for " + word.sha()
                            + "**\n\n" + word.summary() + "<br>" + word.text(),
                    marker);
        } else {
            forge.comment(Long.parseLong(number), word.summary() + "<br>" + word.text(), "");
        }
    }

    private static String section(GitEvent.Forge forge) {
        return switch (forge) {
            case GITHUB, LOCAL -> "github";
            case GITEA -> "forgejo";
            case GITLAB -> "gitlab";
        };
    }

    /// As much of the event as is needed to speak about it.
    private static Optional<GitEvent> event(Resource run) {
        return Listener.forge(said(run, "git-provider")).map(forge -> {
            var event = GitEvent.of(forge, Json.Obj.EMPTY, Map.of());
            event.owner = said(run, "url-org");
            event.name = said(run, "url-repository");
            var installation = said(run, "installation-id");
            event.installation = number(installation);
            event.sourceProject = number(said(run, "source-project-id"));
            return event.build();
        });
    }

    private static long number(String text) {
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    private static String said(Resource run, String name) {
        return RunReports.annotation(run, name);
    }
}
