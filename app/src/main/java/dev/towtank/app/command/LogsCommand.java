package dev.towtank.app.command;

import dev.towtank.app.client.RunLogs;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Prints the logs of a run, as `tkn` does, or of a pod.
@Command(
        name = "logs",
        description = "Prints what the steps of a run, or the containers of a pod, have written.",
        sortOptions = false)
final class LogsCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(
            paramLabel = "RUN|POD",
            description = {
                "A PipelineRun, TaskRun or Pod: its name, or pr/NAME, tr/NAME, pod/NAME;",
                "or a run of 'towtank run': its name, or 'last'."
            })
    private String run = "";

    @Mixin
    private final ServerOption server = new ServerOption();

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on until the run has ended.")
    private boolean follow;

    @Option(
            names = {"--step", "-c", "--container"},
            paramLabel = "NAME",
            description = "Only this step or container. May be given several times.")
    private List<String> steps = List.of();

    @Option(names = "--all", description = "Also init containers and earlier attempts.")
    private boolean all;

    @Option(
            names = "--tail",
            paramLabel = "N",
            defaultValue = "-1",
            description = "Only the last N lines of each step.")
    private int tail;

    LogsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var local = new LocalRuns(server, surroundings);
        if (!server.isNamed() && local.has(run)) {
            try {
                local.view().logs(local.find(run), steps, tail);
                return ExitCode.OK;
            } catch (BadInput e) {
                throw new Failure(String.valueOf(e.getMessage()), e);
            }
        }
        local.mustBeOnTheServer(run);
        try (var client = server.connect(surroundings)) {
            var options = new RunLogs.Options(server.namespace(client), follow, steps, all, tail);
            boolean found = new RunLogs(client, options, surroundings.text(), surroundings.err()).show(run);
            return found ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }
}
