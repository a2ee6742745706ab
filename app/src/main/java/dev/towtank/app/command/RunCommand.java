package dev.towtank.app.command;

import dev.towtank.app.client.ApiClient;
import dev.towtank.app.client.Connection;
import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.engine.Features;
import dev.towtank.app.engine.PodRuntime;
import dev.towtank.app.engine.Version;
import dev.towtank.app.notebook.JobAgain;
import dev.towtank.app.run.RunCall;
import dev.towtank.app.run.RunCall.Format;
import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.images.ImageCheck;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Logging;
import dev.towtank.app.shell.Screen;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.node.images.ImageMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs a pipeline or a task on an engine of its own.
@Command(
        name = "run",
        description = {
            "Runs a Tekton pipeline or task, shows it, and ends with how it went.",
            "",
            "FILE and DIR hold a PipelineRun or TaskRun and what it needs; without a run, one is made of the only Pipeline"
                    + " or Task. Ctrl-C cancels the run; a second one kills it.",
            "",
            "nvj/NAME in place of a file runs a NotebookValidationJob of the server once more, as a copy of it."
        },
        footer = {
            "",
            "Ends with 0 when the run succeeded, 1 when it failed, 2 when called wrongly or with invalid files, 3 when it"
                    + " was cancelled, 4 when it timed out."
        },
        sortOptions = false)
final class RunCommand implements Callable<Integer> {
    private static final Set<String> OF_JOBS = Set.of("--data", "--namespace", "--server");

    private final Surroundings surroundings;

    @Parameters(paramLabel = "FILE|DIR", arity = "0..*", description = "Files in YAML or JSON, or directories of them.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = {"-p", "--param"},
            paramLabel = "NAME=VALUE",
            description = "A param: a list as a,b,c or in JSON, an object as key:value,key:value or in JSON.")
    private List<String> params = new ArrayList<>();

    @Option(
            names = {"-w", "--workspace"},
            paramLabel = "NAME=DIR",
            description = "A copy of the directory as workspace; with ':rw' behind it, the directory itself.")
    private List<String> workspaces = new ArrayList<>();

    @Option(names = "--pipeline", paramLabel = "PIPELINE", description = "Makes a run of this Pipeline.")
    private @Nullable String pipeline;

    @Option(names = "--task", paramLabel = "TASK", description = "Makes a run of this Task.")
    private @Nullable String task;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Ends the run after this time, such as 90s or 1h30m.")
    private @Nullable String timeout;

    @Option(names = "--keep", description = "Keeps the engine's data and the workspaces.")
    private boolean keep;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "pretty (the default on a terminal), plain (otherwise) or json: an event per line.")
    private @Nullable Format output;

    @Option(
            names = "--summary",
            paramLabel = "FORMAT",
            description = "Writes a summary of the run into a file with its name: md, for a pull request, or junit.")
    private ReportCommand.@Nullable Summary summary;

    @Option(
            names = "--resume",
            paramLabel = "RUN",
            description = "Runs what failed in an earlier run ('last' is the newest) and what depends on it, with the"
                    + " results of what succeeded. FILEs replace what it was made of.")
    private @Nullable String resume;

    @Option(names = "--from", paramLabel = "TASK", description = "With --resume: this task and all that depend on it.")
    private @Nullable String from;

    @Option(names = "--only", paramLabel = "TASK", description = "With --resume: this task alone.")
    private @Nullable String only;

    @Option(
            names = "--replay",
            paramLabel = "RUN|FILE",
            description = "Runs the whole of an earlier or exported run once more.")
    private @Nullable String replay;

    @Option(names = "--server", description = "Uses the server that runs already, instead of an engine of its own.")
    private boolean server;

    @Option(
            names = "--images",
            paramLabel = "WHICH",
            defaultValue = "auto",
            description =
                    "What steps run on: real images alone, stand-in for this machine's own programs, or auto: a real"
                            + " image that is here, else a stand-in, else one that is pulled. Default: ${DEFAULT-VALUE}.")
    private ImageMode images = ImageMode.AUTO;

    @Option(
            names = "--map-missing",
            description = "Lets this machine's own programs stand for images that cannot be had, and notes them down in"
                    + " images.yaml in the data directory.")
    private boolean mapMissing;

    @Option(
            names = "--runtime",
            paramLabel = "NAME",
            defaultValue = "bubblewrap",
            description = "What runs steps: bubblewrap, or podman or docker, which are slower. Default:"
                    + " ${DEFAULT-VALUE}.")
    private PodRuntime runtime = PodRuntime.BUBBLEWRAP;

    @Option(
            names = "--unsafe-host",
            description = "Runs steps as plain processes of this machine, without any isolation.")
    private boolean unsafeHost;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "With nvj/NAME: where that is (default: that of the kubeconfig, or 'default').")
    private @Nullable String namespace;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final DataOption data = new DataOption();

    RunCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    private void checkOptions() {
        if (unsafeHost && runtime != PodRuntime.BUBBLEWRAP) {
            throw new Failure("--unsafe-host runs plain processes, and --runtime " + runtime
                    + " containers: choose one of them.");
        }
        if (namespace != null) {
            throw new Failure("--namespace is for nvj/NAME: files say by themselves where their objects go.");
        }
        if (server && (mapMissing || runtime != PodRuntime.BUBBLEWRAP)) {
            throw new Failure(
                    "--map-missing and --runtime are for an engine of the run's own: a server that runs already"
                            + " has its images and its runtime.");
        }
    }

    @Override
    public Integer call() throws Exception {
        Logging.onlyErrors();
        var directory = data.resolve(surroundings);
        var job = files.size() == 1 ? JobAgain.named(files.getFirst()) : Optional.<String>empty();
        if (job.isPresent()) {
            return again(job.get(), directory);
        }
        checkOptions();
        if (mapMissing) {
            directory.make();
        }
        var call = new RunCall(
                files,
                params,
                workspaces,
                Optional.ofNullable(pipeline),
                Optional.ofNullable(task),
                Optional.ofNullable(timeout),
                new RunCall.Earlier(
                        Optional.ofNullable(resume),
                        Optional.ofNullable(from),
                        Optional.ofNullable(only),
                        Optional.ofNullable(replay)),
                !server,
                keep);
        var history = new RunHistory(directory.runs());
        var engines = new RunEngines(surroundings, directory, history.shared(), unsafeHost, images, runtime);
        var place = new RunCall.Place(
                server ? engines::running : engines::own,
                server
                        ? Optional.empty()
                        : Optional.of(new ImageCheck(
                                engines::look, mapMissing ? Optional.of(directory.images()) : Optional.empty())),
                history,
                surroundings.signals(),
                surroundings.clock(),
                surroundings.programName(),
                Version.TOWTANK,
                Features::definitions);
        try {
            var before = history.newest();
            int code = call.run(place, Screen.output(surroundings, Optional.ofNullable(output)));
            summarize(history, before);
            return code;
        } catch (BadInput e) {
            e.problems().forEach(problem -> surroundings.err().println("towtank: " + surroundings.typeable(problem)));
            return 2;
        }
    }

    /// A job is on a server, and says by itself how it is run.
    private int again(String job, DataDirectory directory) throws IOException {
        var given = Objects.requireNonNull(spec).commandLine().getParseResult().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !OF_JOBS.contains(name))
                .toList();
        if (!given.isEmpty()) {
            throw new Failure(String.join(", ", given) + " cannot be used with nvj/" + job
                    + ", which runs as its spec says. Change that with 'kubectl edit nvj " + job + "'.");
        }
        surroundings.stop().leaveAtOnce();
        try (var client = new ApiClient(Connection.read(ServerOption.running(surroundings, directory)))) {
            var place = namespace == null ? client.namespace() : namespace;
            return new JobAgain(client, place, surroundings.text()).run(job);
        }
    }

    /// @param before the newest run before this one, which may not have begun at all
    private void summarize(RunHistory history, Optional<RunDirectory> before) throws IOException {
        var newest = history.newest();
        if (summary != null && newest.isPresent() && !newest.equals(before)) {
            var written = new ReportCommand(surroundings)
                    .write(newest.get().path().toString(), new ServerOption(), Optional.of(summary), Optional.empty());
            // Standard output may be events in JSON.
            surroundings.err().println("Wrote " + written + ".");
        }
    }
}
