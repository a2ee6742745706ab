package dev.towtank.app.command;

import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.engine.Instance;
import dev.towtank.app.engine.InstanceLock;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Surroundings;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/// Stops the server of a data directory, and waits until it is gone.
@Command(name = "down", description = "Stops the server; its data stay.")
final class DownCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(75);

    private final Surroundings surroundings;

    @Mixin
    private final DataOption data = new DataOption();

    DownCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        var directory = data.resolve(surroundings);
        var process = Instance.running(directory).flatMap(Instance::process);
        if (process.isEmpty()) {
            surroundings.out().println("No Towtank runs on " + directory + ".");
            return ExitCode.OK;
        }
        stop(process.get(), directory);
        surroundings
                .out()
                .println("Towtank on " + directory + " has stopped (pid "
                        + process.get().pid() + ").");
        return ExitCode.OK;
    }

    private static void stop(ProcessHandle process, DataDirectory directory) throws InterruptedException {
        if (!process.destroy() && process.isAlive()) {
            throw new Failure("The system does not allow to stop process " + process.pid() + ". It belongs to "
                    + process.info().user().orElse("another user") + ": run this as that user.");
        }
        if (!InstanceLock.awaitRelease(directory, PATIENCE)) {
            throw new Failure("Process " + process.pid() + " was told to stop, but still runs after "
                    + PATIENCE.toSeconds() + " seconds. What it has confirmed to clients is on disk, so 'kill -9 "
                    + process.pid() + "' loses nothing.");
        }
    }
}
