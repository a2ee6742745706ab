package dev.towtank.app.command;

import dev.towtank.app.engine.Version;
import dev.towtank.app.shell.Surroundings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/// Tells the versions.
@Command(name = "version", description = "Shows the version.")
final class VersionCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    VersionCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        surroundings.out().println(Version.line());
        return ExitCode.OK;
    }
}
