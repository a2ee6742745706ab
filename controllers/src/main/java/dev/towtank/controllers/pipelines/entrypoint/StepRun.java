package dev.towtank.controllers.pipelines.entrypoint;

import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.controllers.pipelines.api.When;
import dev.towtank.controllers.pipelines.substitution.WhenConditions;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Records;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One step: waits for its turn, runs its process, and leaves word for the next step and for the controller.
///
/// All that it does can be done again after a restart of the server: the files are the same, and the process that was
/// started before is joined.
final class StepRun {

    /// How large results may be; by default what Kubernetes keeps of a message.
    static final String RESULT_LIMIT = "node.towtank.dev/termination-message-limit";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX").withZone(ZoneOffset.UTC);
    private static final String READY_FILE = "/tekton/downward/ready";
    private static final int READABLE = 0644;
    private static final int EVERYBODY = 0777;
    private static final int KILLED = 9;
    private static final int SMALL = 64 * 1024;
    // Above every limit that may be set, so that a result over the limit is told from a file that is none.
    private static final int LARGEST_READ = 8 * 1024 * 1024;

    private final RunningContainer container;
    private final EntrypointFlags flags;
    private final String postFile;
    private final String directory;
    private final int limit;
    private final List<TerminationMessage.Entry> notes = new ArrayList<>();
    private final List<TerminationMessage.Entry> results = new ArrayList<>();

    StepRun(RunningContainer container, List<String> arguments) {
        this.container = container;
        this.flags = EntrypointFlags.parse(arguments);
        this.postFile = flags.text("post_file");
        this.directory = flags.text("step_metadata_dir");
        this.limit = limit(container);
    }

    private static int limit(RunningContainer container) {
        var text = container.pod().annotations().getOrDefault(RESULT_LIMIT, "");
        try {
            return text.isEmpty() ? TerminationMessage.KUBERNETES_LIMIT : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return TerminationMessage.KUBERNETES_LIMIT;
        }
    }

    int run() throws IOException, InterruptedException {
        var home = new StepCredentials(container, flags).write();
        container.makeDirectory(directory + "/results", EVERYBODY);
        container.makeDirectory(directory + "/artifacts", EVERYBODY);
        if (!isMyTurn()) {
            note("StartedAt", TIME.format(container.clock().instant()));
            return afterFailure();
        }
        if (flags.isOn("debug_before_step") && !mayGoOn()) {
            start();
            writePostFile(false);
            container.log("Skipping execute step script because before step breakpoint fail-continue");
            return finish(1);
        }
        start();
        return finish(runProcess(home));
    }

    /// Whether the steps before went well.
    private boolean isMyTurn() throws InterruptedException {
        for (var file : flags.names("wait_file")) {
            container.await(() -> isThere(file) || container.exists(file + ".err"));
            if (!isThere(file) && !flags.isOn("breakpoint_on_failure")) {
                return false;
            }
        }
        return true;
    }

    private boolean isThere(String file) {
        if (file.equals(READY_FILE)) {
            // The annotation is there before the node has written it into the volume.
            return !container
                    .pod()
                    .annotations()
                    .getOrDefault("tekton.dev/ready", "")
                    .isEmpty();
        }
        return container.exists(file) && (!flags.isOn("wait_file_content") || hasContent(file));
    }

    private boolean hasContent(String file) {
        try {
            return container
                    .read(file, SMALL)
                    .filter(content -> content.length > 0)
                    .isPresent();
        } catch (IOException e) {
            return true; // larger than we care to read
        }
    }

    private int afterFailure() throws IOException {
        writePostFile(false);
        note("Reason", "Skipped");
        container.log("Skipping step because a previous step failed");
        writeMessage();
        return 1;
    }

    private boolean mayGoOn() throws InterruptedException {
        container.log("""
                debug before step breakpoint has taken effect, waiting for user's decision:
                1) continue, use cmd: /tekton/debug/scripts/debug-beforestep-continue
                2) fail-continue, use cmd: /tekton/debug/scripts/debug-beforestep-fail-continue""");
        var go = postFile + ".beforestepexit";
        container.await(() -> container.exists(go) || container.exists(go + ".err"));
        return container.exists(go);
    }

    /// Remembers when the step began, also over a restart.
    private void start() throws IOException {
        var file = directory + "/startedAt";
        var known = container.read(file, SMALL);
        var moment = known.map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElseGet(() -> TIME.format(container.clock().instant()));
        if (known.isEmpty()) {
            container.write(file, moment.getBytes(StandardCharsets.UTF_8), READABLE);
        }
        note("StartedAt", moment);
    }

    private int runProcess(List<String> home) throws IOException, InterruptedException {
        var values = new StepValues(container, Math.max(limit, SMALL));
        var command = command();
        var environment = container.environment();
        var conditions = conditions();
        try {
            environment = values.inEnvironment(environment);
            conditions = values.inConditions(conditions);
            command = withArtifacts(values, values.inCommand(command));
        } catch (IOException e) {
            container.log("Error while substituting step results: " + e.getMessage());
        }
        return switch (WhenConditions.evaluate(conditions)) {
            case WhenConditions.Outcome.Holds _ -> ended(execute(wrapped(home, command), environment));
            case WhenConditions.Outcome.DoesNotHold _ -> skipped();
            case WhenConditions.Outcome.Failed(var message) -> {
                container.log("Error executing command: " + message);
                writePostFile(false);
                yield 1;
            }
        };
    }

    private int skipped() throws IOException {
        container.log("Step was skipped due to when expressions were evaluated to false.");
        note("Reason", "Skipped");
        writePostFile(true);
        writeExitCode("0");
        return 0;
    }

    private List<String> command() throws IOException {
        var command = new ArrayList<String>();
        if (flags.text("entrypoint").isEmpty()) {
            command.addAll(platformCommand());
        } else {
            command.add(flags.text("entrypoint"));
        }
        command.addAll(flags.command());
        return command;
    }

    /// What the image says is to be run: as the controller knew it, or as it says itself, where it came later.
    private List<String> platformCommand() throws IOException {
        var text = container.environment().getOrDefault("TEKTON_PLATFORM_COMMANDS", "");
        if (text.isEmpty()) {
            var words = container.imageCommand().words(!flags.command().isEmpty());
            if (words.isEmpty()) {
                throw new IOException("the step has no command, and its image names none");
            }
            return words;
        }
        try {
            var commands = JsonText.parseObject(text);
            return commands.size() == 0
                    ? List.of()
                    : commands.array(commands.key(0)).strings();
        } catch (JsonText.Malformed e) {
            throw new IOException("TEKTON_PLATFORM_COMMANDS of the step is no JSON", e);
        }
    }

    private List<When> conditions() {
        var text = flags.text("when_expressions");
        if (text.isEmpty() || !(JsonText.parse(text) instanceof Json.Arr list)) {
            return List.of();
        }
        return list.objects().stream()
                .map(json -> Records.read(When.class, json))
                .toList();
    }

    /// A script in which artifacts are named is a file already: the step gets a changed copy of it.
    private List<String> withArtifacts(StepValues values, List<String> command) throws IOException {
        if (command.size() != 1 || !command.getFirst().startsWith("/tekton/scripts/")) {
            return command;
        }
        var script = container.read(command.getFirst(), Integer.MAX_VALUE);
        if (script.isEmpty()) {
            return command;
        }
        var text = new String(script.get(), StandardCharsets.UTF_8);
        var replaced = values.artifacts(text);
        if (replaced.equals(text)) {
            return command;
        }
        var copy = directory + "/script";
        container.write(copy, replaced.getBytes(StandardCharsets.UTF_8), 0755);
        return List.of(copy);
    }

    // Only what lies in volumes can be written from outside; a shell in the container puts credentials into its home.
    private static List<String> wrapped(List<String> home, List<String> command) {
        var all = new ArrayList<>(home);
        all.addAll(command);
        return all;
    }

    private RunningContainer.Exit execute(List<String> command, Map<String, String> environment)
            throws InterruptedException {
        var timeout = flags.timeout();
        if (timeout.filter(Duration::isNegative).isPresent()) {
            return new RunningContainer.Exit(1, false, Optional.of("negative timeout specified"));
        }
        var request =
                new RunningContainer.Command(command, environment, path("stdout_path"), path("stderr_path"), timeout);
        var watch =
                Thread.ofVirtual().name("cancellation of " + container.name()).start(this::killWhenCancelled);
        try {
            return container.run(request);
        } finally {
            watch.interrupt();
        }
    }

    private void killWhenCancelled() {
        try {
            container.await(this::isCancelled);
            container.kill();
        } catch (InterruptedException e) {
            // the process has ended
        }
    }

    private boolean isCancelled() {
        return !container
                .pod()
                .annotations()
                .getOrDefault("tekton.dev/cancel", "")
                .isEmpty();
    }

    private Optional<String> path(String flag) {
        return Optional.of(flags.text(flag)).filter(path -> !path.isEmpty());
    }

    private int ended(RunningContainer.Exit exit) throws IOException, InterruptedException {
        var failed = exit.code() != 0 || exit.problem().isPresent();
        if (failed && isCancelled()) {
            container.log("Step was cancelled");
            note("Reason", "Cancelled");
            writePostFile(false);
            writeExitCode("killed");
            return KILLED;
        }
        if (exit.timedOut()) {
            note("Reason", "TimeoutExceeded");
            writePostFile(false);
            container.log("context deadline exceeded");
            return 1;
        }
        exit.problem().ifPresent(problem -> container.log("Error executing command: " + problem));
        int code = exit.problem().isPresent() ? 1 : exit.code();
        if (failed && flags.isOn("breakpoint_on_failure")) {
            return breakpoint();
        }
        if (failed && exit.problem().isEmpty() && flags.text("on_error").equals("continue")) {
            note("ExitCode", String.valueOf(exit.code()));
            writePostFile(true);
            writeExitCode(String.valueOf(exit.code()));
            return 0;
        }
        writePostFile(!failed);
        if (!failed) {
            writeExitCode("0");
        }
        return code;
    }

    /// Keeps the step alive until somebody says how to go on.
    private int breakpoint() throws IOException, InterruptedException {
        container.log("Skipping writing to PostFile");
        collect();
        writeMessage();
        container.log("""
                debug onFailure breakpoint has taken effect, waiting for user's decision:
                1) continue, use cmd: /tekton/debug/scripts/debug-continue
                2) fail-continue, use cmd: /tekton/debug/scripts/debug-fail-continue""");
        var file = postFile + ".breakpointexit";
        container.await(() -> container.exists(file));
        var text = container
                .read(file, SMALL)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse("0");
        container.log("Breakpoint exiting with exit code " + text.strip());
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private int finish(int code) throws IOException {
        if (!collect()) {
            writeMessage();
            return 1;
        }
        if (new TerminationMessage(results).with(notes).text(compresses()).getBytes(StandardCharsets.UTF_8).length
                > limit) {
            container.log(
                    "Termination message is above max allowed size %d, caused by large task result.".formatted(limit));
            results.clear();
            writeMessage();
            return 1;
        }
        writeMessage();
        return code;
    }

    /// Whether all results could be read.
    private boolean collect() {
        results.clear();
        try {
            read("/tekton/results/", flags.names("results"), TerminationMessage.TASK_RESULT);
            read(directory + "/results/", flags.names("step_results"), TerminationMessage.STEP_RESULT);
            readArtifacts(directory + "/artifacts/provenance.json", TerminationMessage.STEP_ARTIFACTS);
            readArtifacts("/tekton/artifacts/provenance.json", TerminationMessage.TASK_ARTIFACTS);
            return true;
        } catch (IOException e) {
            var problem = "a result cannot be read: " + e.getMessage();
            container.log(problem);
            note("Problem", problem);
            return false;
        }
    }

    private void read(String place, List<String> names, int type) throws IOException {
        for (var name : names) {
            var content = container.read(place + name, LARGEST_READ);
            if (content.isPresent() && !isPrinted()) {
                results.add(
                        new TerminationMessage.Entry(name, new String(content.get(), StandardCharsets.UTF_8), type));
            }
        }
    }

    /// Whether a sidecar tells the results.
    private boolean isPrinted() {
        return flags.text("result_from").equals("sidecar-logs");
    }

    private void readArtifacts(String path, int type) throws IOException {
        container
                .read(path, LARGEST_READ)
                .ifPresent(bytes -> results.add(
                        new TerminationMessage.Entry(path, new String(bytes, StandardCharsets.UTF_8), type)));
    }

    private boolean compresses() {
        return flags.isOn("compress_termination_message");
    }

    private void note(String key, String value) {
        notes.add(new TerminationMessage.Entry(key, value, TerminationMessage.INTERNAL));
    }

    private void writeMessage() throws IOException {
        var message = new TerminationMessage(results).with(notes).text(compresses());
        container.write(flags.text("termination_path"), message.getBytes(StandardCharsets.UTF_8), READABLE);
    }

    private void writePostFile(boolean success) throws IOException {
        if (!postFile.isEmpty()) {
            container.write(success ? postFile : postFile + ".err", new byte[0], READABLE);
        }
    }

    private void writeExitCode(String code) throws IOException {
        container.write(directory + "/exitCode", code.getBytes(StandardCharsets.UTF_8), READABLE);
    }
}
