package dev.towtank.app;

import dev.towtank.app.run.RunCall;
import dev.towtank.app.run.RunCall.Format;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.node.images.ImageMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Runs a pipeline or a task on an engine of its own.
@Command(
        name = "run",
        description = {
            "Runs a Tekton pipeline or task, shows it, and ends with how it went.",
            "",
            "FILE and DIR hold a PipelineRun or TaskRun and what it needs; without a run, one is made of the only Pipeline"
                    + " or Task. Ctrl-C cancels the run; a second one kills it."
        },
        footer = {
            "",
            "Ends with 0 when the run succeeded, 1 when it failed, 2 when called wrongly or with invalid files, 3 when it"
                    + " was cancelled, 4 when it timed out."
        },
        sortOptions = false)
final class RunCommand implements Callable<Integer> {
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

    @Option(names = "--pipeline", paramLabel = "NAME", description = "Makes a run of this Pipeline.")
    private @Nullable String pipeline;

    @Option(names = "--task", paramLabel = "NAME", description = "Makes a run of this Task.")
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
            names = "--unsafe-host",
            description = "Runs steps as plain processes of this machine, without any isolation.")
    private boolean unsafeHost;

    @Mixin
    private final DataOption data = new DataOption();

    RunCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        Logging.onlyErrors();
        var directory = data.resolve(surroundings);
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
        var history = RunHistory.of(surroundings.environment());
        var engines = new RunEngines(surroundings, directory, history.shared(), unsafeHost, images);
        var place = new RunCall.Place(
                server ? engines::running : engines::own,
                history,
                surroundings.signals(),
                surroundings.clock(),
                surroundings.programName(),
                Version.TOWTANK,
                Features::definitions);
        try {
            return call.run(place, Screen.output(surroundings, Optional.ofNullable(output)));
        } catch (BadInput e) {
            e.problems().forEach(problem -> surroundings.err().println("towtank: " + problem));
            return 2;
        }
    }
}
