package dev.towtank.app.command;

import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Instance;
import dev.towtank.app.engine.LocalClient;
import dev.towtank.app.engine.Version;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Surroundings;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/// Tells whether a server runs, and asks it whether it is ready. Ends with 0 only when it is.
@Command(name = "status", description = "Tells whether the server runs, where, and since when.")
final class StatusCommand implements Callable<Integer> {
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final Surroundings surroundings;

    @Mixin
    private final DataOption data = new DataOption();

    StatusCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        var directory = data.resolve(surroundings);
        var found = Instance.running(directory);
        if (found.isEmpty()) {
            surroundings
                    .out()
                    .println("Towtank is not running. Start it with '" + surroundings.programName() + " up --detach'.");
            line("data", directory.toString());
            return ExitCode.SOFTWARE;
        }
        var instance = found.get();
        var health = instance.address().map(where -> ask(directory, where)).orElse("starting");
        line("Towtank", health);
        instance.address().ifPresent(where -> line("address", where.toString()));
        line("pid", String.valueOf(instance.pid()));
        line("since", since(instance.since()));
        line("data", directory.toString());
        line("version", instance.version() + ", serves the API of Kubernetes " + Version.KUBERNETES);
        return health.equals("ready") ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static String ask(DataDirectory directory, URI address) {
        try (var client = LocalClient.anonymous(address, directory.pki())) {
            int code = client.get("/readyz").statusCode();
            return code == 200 ? "ready" : "not ready: /readyz answers " + code;
        } catch (LocalClient.NoAnswer e) {
            return "not ready: " + e.getMessage();
        }
    }

    private String since(Instant start) {
        var running = Duration.between(start, surroundings.clock().instant());
        return LOCAL.format(start.atZone(ZoneId.systemDefault())) + " (for " + words(running) + ")";
    }

    static String words(Duration time) {
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        return time.toMinutes() > 0
                ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : Math.max(0, time.toSeconds()) + " s";
    }

    private void line(String name, String value) {
        surroundings.out().println("%-9s%s".formatted(name, value));
    }
}
