package dev.towtank.app.command;

import dev.towtank.app.doctor.Doctor;
import dev.towtank.app.engine.Instance;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Screen;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.model.JsonText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Looks at the machine. Ends with 0 when all is there that pods need.
@Command(
        name = "doctor",
        description = "Tells what this machine can do, and the command that adds what is missing.",
        sortOptions = false)
final class DoctorCommand implements Callable<Integer> {
    enum Format {
        PRETTY,
        JSON
    }

    private final Surroundings surroundings;

    @Mixin
    private final DataOption data = new DataOption();

    @Option(names = "--port", paramLabel = "N", defaultValue = "6443", description = "The port that 'up' would take.")
    private int port;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "pretty",
            description = "pretty or json (default: ${DEFAULT-VALUE}).")
    private Format format = Format.PRETTY;

    DoctorCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    private int columns() {
        return Screen.isTerminal(surroundings) ? Screen.size().columns() : Integer.MAX_VALUE;
    }

    @Override
    public Integer call() {
        var directory = data.resolve(surroundings);
        var own = Instance.running(directory)
                .flatMap(Instance::address)
                .filter(address -> address.getPort() == port)
                .isPresent();
        var place = new Doctor.Place(directory.root(), port, own, surroundings.programName());
        var diagnosis = Doctor.examine(surroundings.environment(), place);
        switch (format) {
            case PRETTY -> surroundings.text().print(diagnosis.text(Ansi.AUTO.enabled(), columns()));
            case JSON -> surroundings.text().println(JsonText.pretty(diagnosis.json()));
        }
        return diagnosis.healthy() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
