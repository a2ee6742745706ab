package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.events.OpsComment;
import dev.towtank.controllers.pipelinesascode.matching.Inlining;
import dev.towtank.controllers.pipelinesascode.matching.Matching;
import dev.towtank.controllers.pipelinesascode.matching.Placeholders;
import dev.towtank.controllers.pipelinesascode.matching.RepositoryParams;
import dev.towtank.controllers.pipelinesascode.matching.TektonFiles;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.controllers.pipelinesascode.runs.RunReports;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Does what comes of an event: reads the repository, finds its runs, and creates them.
public final class EventWork {

    private static final List<String> SKIPS = List.of("[skip ci]", "[ci skip]", "[skip tkn]", "[tkn skip]");

    private final Cluster cluster;
    private final Configuration configuration;
    private final Cancellation cancellation;

    public EventWork(Cluster cluster, Cache runs, Configuration configuration) {
        this.cluster = cluster;
        this.configuration = configuration;
        this.cancellation = new Cancellation(cluster, runs);
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

    /// What an event is worked on with.
    ///
    /// @param repository with what the global one adds
    record Job(
            Resource repository, GitEvent event, Forges forge, String token, long installation, PacSettings settings) {

        Job about(GitEvent other) {
            return new Job(repository, other, forge, token, installation, settings);
        }

        void tell(Word.State state, String title, String text) throws IOException, InterruptedException {
            if (!event.sha().isEmpty()) {
                var word = Word.of(event.sha(), state, settings.applicationName(), title, text);
                try {
                    forge.tell(word);
                } catch (Forges.Untold e) {
                    if (event.pullRequest().isPresent()) {
                        forge.comment(event.pullRequest().get(), "**" + title + "**\n\n" + text, "");
                    }
                }
            }
        }
    }

    /// What was done, a line for each.
    List<String> done(Resource repository, GitEvent told) throws Refused, InterruptedException {
        try {
            var filled = configuration.filled(repository);
            var access = configuration.forge(filled, told);
            var event = access.forge().completed(told);
            return done(new Job(
                    filled, event, access.forge(), access.token(), access.installation(), configuration.settings()));
        } catch (IOException | UncheckedIOException e) {
            throw new Refused("RepositoryForgeError", String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw new Refused("RepositoryInvalidPipelineRunTemplate", String.valueOf(e.getMessage()));
        } catch (StatusError e) {
            throw new Refused("RepositoryCannotCreate", e.text());
        }
    }

    private List<String> done(Job job) throws Refused, IOException, InterruptedException {
        var event = job.event();
        if (event.isClosed()) {
            return cancellation.closed(job);
        }
        if (isSkipped(event)) {
            job.tell(Word.State.NEUTRAL, "CI Skipped", "The commit asks to be skipped.");
            return List.of("the commit asks to be skipped");
        }
        if (isOfPullRequest(job)) {
            return List.of("the commit " + event.sha() + " is in an open pull request, which runs by itself");
        }
        checkAccess(job);
        if (event.type().startsWith("cancel")) {
            return cancellation.asked(job);
        }
        if (!event.type().equals(OpsComment.NONE)) {
            return started(job);
        }
        // Only what waits for such a comment runs, and most comments are just that.
        var change = event.change();
        change.type = OpsComment.ON_COMMENT;
        return started(job.about(change.build()));
    }

    private static boolean isSkipped(GitEvent event) {
        return !event.isComment()
                && !event.type().equals(GitEvent.INCOMING)
                && SKIPS.stream().anyMatch(event.shaMessage()::contains);
    }

    private static boolean isOfPullRequest(Job job) throws InterruptedException {
        var event = job.event();
        boolean isPlainPush =
                event.type().equals(GitEvent.PUSH) && !event.base().startsWith("refs/tags/");
        try {
            return isPlainPush
                    && job.settings().skipsPushesOfPullRequests()
                    && job.forge().isInOpenPullRequest(event);
        } catch (IOException e) {
            // Better twice than not at all.
            return false;
        }
    }

    private static void checkAccess(Job job) throws Refused, IOException, InterruptedException {
        var event = job.event();
        if (!new Access(job.repository(), job.forge(), job.settings()).isAllowed(event)) {
            if (!event.isComment() && !event.isPush()) {
                job.tell(
                        Word.State.PENDING,
                        "Pending approval, waiting for an /ok-to-test",
                        "User " + event.sender() + " is not allowed to trigger CI.");
            }
            throw new Refused(
                    "RepositoryPermissionDenied",
                    "User " + event.sender() + " is not allowed to trigger CI by " + event.type() + " in this repo.");
        }
        if (event.type().equals(OpsComment.OK_TO_TEST)) {
            checkApproval(job);
            job.tell(Word.State.SUCCESS, "Approved", "");
        }
    }

    private static void checkApproval(Job job) throws Refused, IOException, InterruptedException {
        var event = job.event();
        var approved = OpsComment.of(event.comment()).sha();
        if (!job.settings().wantsApprovedCommit()) {
            return;
        }
        String problem;
        if (approved.isEmpty()) {
            problem = "The `/ok-to-test` needs to be followed by a SHA to verify which commit to test. Try again"
                    + " with:\n\n`/ok-to-test " + event.sha() + "`";
        } else if (!event.sha()
                .toLowerCase(Locale.ROOT)
                .startsWith(approved.get().toLowerCase(Locale.ROOT))) {
            problem = "the SHA provided in the `/ok-to-test` comment (`" + approved.get()
                    + "`) is not a prefix of the pull request's HEAD SHA (`" + event.sha() + "`)";
        } else {
            return;
        }
        job.forge().comment(event.pullRequest().orElse(0L), problem, "");
        throw new Refused("RepositoryPermissionDenied", problem);
    }

    private List<String> started(Job job) throws Refused, IOException, InterruptedException {
        var event = job.event();
        var repository = job.repository();
        Supplier<ChangedFiles> files = remembered(event, job.forge());
        var values = new LinkedHashMap<>(RepositoryParams.of(
                event,
                repository.namespace(),
                repository.spec().objects("params"),
                reference -> configuration.secret(repository, reference, ""),
                files));
        var revision =
                repository.spec().string("settings", "pipelinerun_provenance").equals("default_branch")
                        ? event.defaultBranch()
                        : event.sha();
        var secret = job.settings().createsSecrets() && !job.token().isEmpty()
                ? Optional.of(GitSecrets.name())
                : Optional.<String>empty();
        secret.ifPresent(name -> values.put("git_auth_secret", name));
        var places = new Placeholders(event, files, values);
        var filled = new LinkedHashMap<String, String>();
        job.forge().tekton(revision).forEach((path, text) -> filled.put(path, places.fill(text)));
        if (filled.isEmpty()) {
            tellWhoApproved(
                    job,
                    ".tekton directory not found",
                    "There is no `.tekton` directory in this repository at " + revision + ".");
            throw new Refused(
                    "RepositoryNoTekton", "there is no .tekton directory in " + event.url() + " at " + revision);
        }
        var read = TektonFiles.read(filled);
        var problems = new LinkedHashMap<String, String>();
        read.problems().forEach(problem -> problems.put(problem.name(), problem.reason()));
        if (read.runs().isEmpty() && problems.isEmpty()) {
            throw new Refused(
                    "RepositoryPipelineRunNotFound",
                    "could not find any PipelineRun in your .tekton/ directory of " + event.url() + " at " + revision);
        }
        var inlining = new Inlining(read.checked(), (place, kind) -> places.fill(remote(place, kind, job)));
        var found = wanted(job, read.runs(), new Matching(event, files, values), inlining, problems);
        tellProblems(job, problems);
        return created(job, found, values, secret, problems);
    }

    /// Who has let a stranger's commit run waits to see that it does.
    private static void tellWhoApproved(Job job, String title, String text) throws IOException, InterruptedException {
        if (job.event().type().equals(OpsComment.OK_TO_TEST)) {
            job.tell(Word.State.NEUTRAL, title, text);
        }
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

    /// Those that match, whole; one that is wrong does not stop the others.
    private List<Json.Obj> wanted(
            Job job, List<Json.Obj> all, Matching matching, Inlining inlining, Map<String, String> problems)
            throws Refused, IOException, InterruptedException {
        var found = new ArrayList<Json.Obj>();
        boolean hasMatched = false;
        for (var run : all) {
            try {
                if (matching.matches(run)) {
                    hasMatched = true;
                    if (!hasSucceeded(job, run)) {
                        found.add(inlining.of(run));
                    }
                }
            } catch (IllegalArgumentException e) {
                problems.put(TektonFiles.name(run), String.valueOf(e.getMessage()));
            }
        }
        if (hasMatched && found.isEmpty() && problems.isEmpty()) {
            var said = "All PipelineRuns for this commit have already succeeded. Use `/retest <pipeline-name>` to"
                    + " re-run a specific pipeline or `/test` to re-run all pipelines.";
            job.forge().comment(job.event().pullRequest().orElse(0L), said, "");
            throw new Refused("RepositoryAllPipelinesSucceeded", said);
        }
        return found;
    }

    private static void tellProblems(Job job, Map<String, String> problems) throws IOException, InterruptedException {
        // Who just speaks is not answered; the answer would be spoken to us again.
        if (problems.isEmpty()
                || job.event().isPush()
                || job.event().type().equals(OpsComment.ON_COMMENT)
                || job.event().pullRequest().isEmpty()) {
            return;
        }
        var marker = "<!-- pac-validation-errors -->";
        var table = new StringBuilder(marker + "\n" + """
                > [!CAUTION]
                > There are some errors in your PipelineRun template.

                | PipelineRun | Error |
                |------|-------|
                """);
        problems.forEach((name, reason) -> table.append("| ")
                .append(name)
                .append(" | `")
                .append(reason.replace("\n", " ").replace("`", "'"))
                .append("` |\n"));
        job.forge().comment(job.event().pullRequest().get(), table.toString(), marker);
    }

    private List<String> created(
            Job job,
            List<Json.Obj> found,
            Map<String, String> values,
            Optional<String> secret,
            Map<String, String> problems)
            throws Refused, IOException, InterruptedException {
        var event = job.event();
        var creation = new RunCreation(cluster, job, values, secret);
        var told = new ArrayList<String>();
        for (var run : found) {
            try {
                cancellation.older(job, run);
                told.add(creation.create(run));
                Optional.of(Matching.warning(run))
                        .filter(line -> !line.isEmpty())
                        .ifPresent(told::add);
            } catch (StatusError e) {
                problems.put(TektonFiles.name(run), e.text());
                creation.failed(run, e.text());
            } catch (IllegalArgumentException e) {
                problems.put(TektonFiles.name(run), String.valueOf(e.getMessage()));
            }
        }
        if (told.isEmpty() && !problems.isEmpty()) {
            throw new Refused("RepositoryInvalidPipelineRunTemplate", text(problems));
        }
        if (told.isEmpty() && !event.type().equals(OpsComment.ON_COMMENT)) {
            tellWhoApproved(
                    job,
                    "No PipelineRun matched",
                    "No PipelineRun in the `.tekton` directory is for the event " + event.target() + ".");
            throw new Refused(
                    "RepositoryNoMatch",
                    "cannot match the event to any pipelineruns in the .tekton/ directory, payload target event is "
                            + event.type() + " with source branch " + event.head() + " and target branch "
                            + event.base());
        }
        if (!problems.isEmpty()) {
            told.add("some runs are wrong: " + text(problems));
        }
        return told;
    }

    private static String text(Map<String, String> problems) {
        return String.join(
                "; ",
                problems.entrySet().stream()
                        .map(each -> each.getKey() + ": " + each.getValue())
                        .toList());
    }

    /// What is asked for again runs again only where it has not succeeded.
    private boolean hasSucceeded(Job job, Json.Obj run) {
        return !job.event().sha().isEmpty()
                && List.of(OpsComment.RETEST_ALL, OpsComment.OK_TO_TEST)
                        .contains(job.event().type())
                && cancellation.ofTemplate(job.repository(), TektonFiles.name(run)).stream()
                        .anyMatch(each -> RunReports.hasSucceeded(each)
                                && RunReports.annotation(each, "sha")
                                        .equals(job.event().sha()));
    }

    private static String remote(String place, String kind, Job job) throws IOException, InterruptedException {
        if (!job.settings().readsRemoteTasks()) {
            throw new IllegalArgumentException(
                    "remote tasks are switched off (remote-tasks), but one is named: " + place);
        }
        if (place.startsWith("http://") || place.startsWith("https://")) {
            return new ForgeHttp(ForgeHttp.Credential.NONE, () -> {}).text(place);
        }
        return place.contains("://") || !place.contains("/")
                ? Hub.read(place, kind, job.settings())
                : job.forge().file(place, job.event().sha());
    }
}
