package dev.towtank.app.command;

import dev.towtank.app.engine.ShellText;
import dev.towtank.app.run.history.Export;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Writes a finished run into one file that can leave the machine.
@Command(
        name = "export",
        description = "Writes a finished run with its specs, params, results and logs into a file or a directory.",
        footer = {"", "'run --replay FILE' runs it once more, here or elsewhere. Values of Secrets are left out."},
        sortOptions = false)
final class ExportCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "RUN", description = "The name of a run, or 'last'.")
    private String run = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE|DIR",
            description = "A file that ends with .tar.gz, .tgz or .zip, or a new directory (default: RUN.tar.gz).")
    private @Nullable Path output;

    @Mixin
    private final DataOption data = new DataOption();

    ExportCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        try {
            var found = new RunHistory(data.resolve(surroundings).runs()).find(run);
            var target = output == null ? Path.of(found.id() + ".tar.gz") : output;
            Export.write(found, target);
            surroundings
                    .out()
                    .println("Wrote " + target + ". Run it once more with " + surroundings.programName()
                            + " run --replay " + ShellText.quote(target.toString()));
            return ExitCode.OK;
        } catch (BadInput e) {
            e.problems().forEach(problem -> surroundings.err().println("towtank: " + surroundings.typeable(problem)));
            return ExitCode.USAGE;
        }
    }
}
