package dev.towtank.app.command;

import dev.towtank.app.client.RunCancel;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Ends a run before its time.
@Command(name = "cancel", description = "Cancels a PipelineRun or TaskRun.", sortOptions = false)
final class CancelCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "RUN", description = "A PipelineRun or TaskRun: its name, or pr/NAME, tr/NAME.")
    private String run = "";

    @Mixin
    private final ServerOption server = new ServerOption();

    @ArgGroup
    private final Way way = new Way();

    @Option(names = "--wait", description = "Returns when the run has ended.")
    private boolean wait;

    private static final class Way {
        @Option(names = "--finally", description = "Stops what runs, and lets the tasks in 'finally' run.")
        private boolean runFinally;

        @Option(
                names = "--stop",
                description = "Lets what runs end, and the tasks in 'finally' run; begins nothing else.")
        private boolean stop;
    }

    CancelCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try (var client = server.connect(surroundings)) {
            var cancel = new RunCancel(client, server.namespace(client));
            surroundings.text().println(cancel.cancel(run, chosen(), wait));
            return ExitCode.OK;
        }
    }

    private RunCancel.Way chosen() {
        if (way.stop) {
            return RunCancel.Way.STOP;
        }
        return way.runFinally ? RunCancel.Way.CANCEL_THEN_FINALLY : RunCancel.Way.CANCEL;
    }
}
