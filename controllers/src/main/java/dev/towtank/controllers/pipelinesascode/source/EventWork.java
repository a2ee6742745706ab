package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.events.OpsComment;
import dev.towtank.controllers.pipelinesascode.matching.Inlining;
import dev.towtank.controllers.pipelinesascode.matching.Matching;
import dev.towtank.controllers.pipelinesascode.matching.Placeholders;
import dev.towtank.controllers.pipelinesascode.matching.TektonFiles;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.controllers.pipelinesascode.runs.RunObjects;
import dev.towtank.controllers.pipelinesascode.runs.RunReports;
import dev.towtank.model.Json;
import dev.towtank.model.Patch;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Does what comes of an event: reads the repository, finds its runs, and creates them.
public final class EventWork {

    private static final List<String> SKIPS = List.of("[skip ci]", "[ci skip]", "[skip tkn]", "[tkn skip]");

    private final Cluster cluster;
    private final Cache runs;
    private final Configuration configuration;

    public EventWork(Cluster cluster, Cache runs, Configuration configuration) {
        this.cluster = cluster;
        this.runs = runs;
        this.configuration = configuration;
    }

    /// Nothing runs; the message says why.
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        private final String reason;

        Refused(String reason, String message) {
            super(message, null, false, false);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    /// What was done, a line for each.
    List<String> done(Resource repository, GitEvent told) throws Refused, InterruptedException {
        var forge = configuration.forge(repository, told.forge(), told.owner(), told.name());
        try {
            var event = forge.completed(told);
            if (event.isClosed()) {
                return cancelled(repository, event);
            }
            if (isSkipped(event)) {
                return List.of("the commit asks to be skipped");
            }
            checkAccess(repository, event, forge);
            return event.type().startsWith("cancel") ? cancelled(repository, event) : started(repository, event, forge);
        } catch (IOException e) {
            throw new Refused("RepositoryForgeError", String.valueOf(e.getMessage()));
        } catch (UncheckedIOException e) {
            throw new Refused("RepositoryForgeError", String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw new Refused("RepositoryInvalidPipelineRunTemplate", String.valueOf(e.getMessage()));
        } catch (StatusError e) {
            throw new Refused("RepositoryCannotCreate", e.text());
        }
    }

    private static boolean isSkipped(GitEvent event) {
        return !event.type().endsWith("-comment") && SKIPS.stream().anyMatch(event.shaTitle()::contains);
    }

    private static void checkAccess(Resource repository, GitEvent event, Forges forge)
            throws Refused, IOException, InterruptedException {
        if (repository.spec().object("settings").has("policy")) {
            throw new Refused("RepositoryPolicy", "settings.policy of a Repository is not supported: leave it out");
        }
        if (!event.isPush() && !forge.isTrusted(event.sender())) {
            if (!event.sha().isEmpty() && !event.type().endsWith("-comment")) {
                forge.tell(
                        event.sha(),
                        Forges.State.PENDING,
                        "Pipelines as Code CI",
                        "Pending approval, waiting for an /ok-to-test",
                        "");
            }
            throw new Refused(
                    "RepositoryPermissionDenied",
                    "User " + event.sender() + " is not allowed to trigger CI by " + event.type() + " in this repo.");
        }
    }

    private List<String> started(Resource repository, GitEvent event, Forges forge)
            throws Refused, IOException, InterruptedException {
        Supplier<ChangedFiles> files = remembered(event, forge);
        var settings = configuration.settings();
        var params = params(repository);
        var values = new LinkedHashMap<>(Placeholders.standard(event, repository.namespace()));
        values.putAll(params);
        event.body().object("params").forEach((name, value) -> {
            if (event.type().equals(GitEvent.INCOMING) && value instanceof Json.Str(var text)) {
                values.put(name, text);
            }
        });
        var revision =
                repository.spec().string("settings", "pipelinerun_provenance").equals("default_branch")
                        ? event.defaultBranch()
                        : event.sha();
        var secret =
                settings.createsSecrets() && !configuration.token(repository).isEmpty()
                        ? Optional.of(GitSecrets.name())
                        : Optional.<String>empty();
        secret.ifPresent(name -> values.put("git_auth_secret", name));
        var filled = new LinkedHashMap<String, String>();
        forge.tekton(revision).forEach((path, text) -> filled.put(path, Placeholders.fill(text, event, files, values)));
        if (filled.isEmpty()) {
            throw new Refused(
                    "RepositoryNoTekton", "there is no .tekton directory in " + event.url() + " at " + revision);
        }
        var read = TektonFiles.read(filled);
        tellProblems(event, read, forge);
        return created(repository, event, forge, read.checked(), new Matching(event, files, params), settings, secret);
    }

    private static Supplier<ChangedFiles> remembered(GitEvent event, Forges forge) {
        var known = new ArrayList<ChangedFiles>();
        return () -> {
            if (event.files().isPresent()) {
                return event.files().get();
            }
            if (known.isEmpty()) {
                try {
                    known.add(forge.files(event));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new UncheckedIOException(new IOException("interrupted", e));
                }
            }
            return known.getFirst();
        };
    }

    private Map<String, String> params(Resource repository) throws Refused {
        var params = new LinkedHashMap<String, String>();
        for (var param : repository.spec().objects("params")) {
            if (param.has("filter")) {
                throw new Refused("RepositoryParams", "params[].filter of a Repository is not supported: leave it out");
            }
            var reference = param.object("secret_ref");
            var value = reference.size() == 0
                    ? param.string("value")
                    : configuration
                            .secret(repository.namespace(), reference.string("name"), reference.string("key"))
                            .orElse("");
            params.putIfAbsent(param.string("name"), value);
        }
        return params;
    }

    private static void tellProblems(GitEvent event, TektonFiles read, Forges forge)
            throws IOException, InterruptedException {
        if (read.problems().isEmpty() || event.pullRequest().isEmpty()) {
            return;
        }
        var table = new StringBuilder("""
                > [!CAUTION]
                > There are some errors in your PipelineRun template.

                | PipelineRun | Error |
                |------|-------|
                """);
        read.problems()
                .forEach(problem -> table.append("| ")
                        .append(problem.name())
                        .append(" | `")
                        .append(problem.reason().replace("\n", " ").replace("`", "'"))
                        .append("` |\n"));
        forge.comment(event.pullRequest().get(), table.toString());
    }

    private List<String> created(
            Resource repository,
            GitEvent event,
            Forges forge,
            TektonFiles read,
            Matching matching,
            PacSettings settings,
            Optional<String> secret)
            throws Refused, IOException, InterruptedException {
        var told = new ArrayList<String>();
        var inlining = new Inlining(read, place -> remote(place, event, forge, settings));
        for (var run : read.runs()) {
            if (matching.matches(run) && !hasSucceeded(repository, event, run)) {
                told.add(create(repository, event, forge, inlining.of(run), settings, secret));
            }
        }
        if (told.isEmpty()) {
            throw new Refused(
                    "RepositoryNoMatch",
                    "cannot match the event to any pipelineruns in the .tekton/ directory, payload target event is "
                            + event.type() + " with source branch " + event.head() + " and target branch "
                            + event.base());
        }
        return told;
    }

    /// What is asked for again runs again only where it has not succeeded.
    private boolean hasSucceeded(Resource repository, GitEvent event, Json.Obj run) {
        return List.of(OpsComment.RETEST_ALL, OpsComment.OK_TO_TEST).contains(event.type())
                && ofTemplate(repository, TektonFiles.name(run)).stream()
                        .anyMatch(each -> RunReports.hasSucceeded(each)
                                && each.annotations()
                                        .getOrDefault(PacKinds.PREFIX + "sha", "")
                                        .equals(event.sha()));
    }

    private List<Resource> ofTemplate(Resource repository, String name) {
        return runs.list().stream()
                .filter(each -> each.namespace().equals(repository.namespace())
                        && each.cluster().equals(repository.cluster())
                        && RunReports.isOf(each, repository.name())
                        && each.annotations()
                                .getOrDefault(PacKinds.PREFIX + "original-prname", "")
                                .equals(name))
                .toList();
    }

    private static String remote(String place, GitEvent event, Forges forge, PacSettings settings)
            throws IOException, InterruptedException {
        if (!settings.readsRemoteTasks()) {
            throw new IllegalArgumentException(
                    "remote tasks are switched off (remote-tasks), but one is named: " + place);
        }
        if (place.startsWith("http://") || place.startsWith("https://")) {
            return new ForgeHttp("", false).text(place);
        }
        if (!place.contains("/") || place.contains("://")) {
            throw new IllegalArgumentException("task " + place
                    + " is one of a hub, which is not supported: name its address, or a file of the repository");
        }
        return forge.file(place, event.sha());
    }

    private String create(
            Resource repository,
            GitEvent event,
            Forges forge,
            Json.Obj run,
            PacSettings settings,
            Optional<String> secret)
            throws IOException, InterruptedException {
        cancelOlder(repository, event, run, settings);
        boolean queued = repository.spec().integer("concurrency_limit") > 0;
        var object = RunObjects.of(run, event, repository, queued, secret);
        var created = cluster.create(
                PacKinds.PIPELINE_RUN, new Resource(repository.cluster(), object), Cluster.WriteOptions.DEFAULT);
        // Behind the run, so that nothing is left where it is refused; its pods wait for what they mount.
        secret.ifPresent(name -> GitSecrets.create(
                cluster, created, name, repository.spec().string("url"), configuration.token(repository)));
        forge.tell(
                event.sha(),
                queued ? Forges.State.PENDING : Forges.State.RUNNING,
                RunReports.context(settings, created),
                queued ? "queued" : "CI has Started",
                settings.console(created.namespace(), created.name()));
        return "created PipelineRun " + created.name() + " for " + event.type() + " of " + event.sha();
    }

    private void cancelOlder(Resource repository, GitEvent event, Json.Obj run, PacSettings settings) {
        var said = run.string("metadata", "annotations", PacKinds.PREFIX + "cancel-in-progress");
        boolean cancels = said.isEmpty() ? settings.cancelsInProgress(!event.isPush()) : said.equals("true");
        if (!cancels) {
            return;
        }
        if (repository.spec().integer("concurrency_limit") > 0) {
            throw new IllegalArgumentException(
                    "cancel in progress is not supported with concurrency limit: leave out one of them");
        }
        ofTemplate(repository, TektonFiles.name(run)).stream()
                .filter(each -> isSameChange(each, event))
                .forEach(this::cancel);
    }

    private static boolean isSameChange(Resource run, GitEvent event) {
        return run.annotations()
                        .getOrDefault(PacKinds.PREFIX + "source-branch", "")
                        .equals(event.head())
                && run.annotations()
                        .getOrDefault(PacKinds.PREFIX + "pull-request", "")
                        .equals(event.pullRequest().map(String::valueOf).orElse(""));
    }

    private boolean cancel(Resource run) {
        if (RunReports.isDone(run)) {
            return false;
        }
        var fields = Json.Obj.of("spec", Json.Obj.of("status", Json.of("CancelledRunFinally")));
        cluster.patch(PacKinds.PIPELINE_RUN, ObjectName.of(run), new Patch.Merge(fields), Cluster.WriteOptions.DEFAULT);
        return true;
    }

    private List<String> cancelled(Resource repository, GitEvent event) {
        var told = new ArrayList<String>();
        for (var run : runs.list()) {
            boolean isMeant = run.namespace().equals(repository.namespace())
                    && RunReports.isOf(run, repository.name())
                    && run.annotations()
                            .getOrDefault(PacKinds.PREFIX + "pull-request", "")
                            .equals(event.pullRequest().map(String::valueOf).orElse(""))
                    && event.wanted()
                            .map(name -> run.annotations()
                                    .getOrDefault(PacKinds.PREFIX + "original-prname", "")
                                    .equals(name))
                            .orElse(true);
            if (isMeant && cancel(run)) {
                told.add("cancelled PipelineRun " + run.name());
            }
        }
        return told;
    }
}
