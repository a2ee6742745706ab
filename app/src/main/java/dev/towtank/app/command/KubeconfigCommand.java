package dev.towtank.app.command;

import dev.towtank.app.engine.Failure;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/// Prints the administrator's kubeconfig.
@Command(name = "kubeconfig", description = "Prints the kubeconfig of the administrator. It contains a secret key.")
final class KubeconfigCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private final DataOption data = new DataOption();

    KubeconfigCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        var directory = data.resolve(surroundings);
        try {
            surroundings.out().print(Files.readString(directory.kubeconfig()));
            surroundings.out().flush();
            return ExitCode.OK;
        } catch (NoSuchFileException e) {
            throw new Failure(
                    "There is no kubeconfig in " + directory
                            + ", because no server was ever started there. Start one with '"
                            + surroundings.programName() + " up', or name the right directory with --data DIR.",
                    e);
        } catch (IOException e) {
            throw new Failure("Cannot read " + directory.kubeconfig() + ": " + e, e);
        }
    }
}
