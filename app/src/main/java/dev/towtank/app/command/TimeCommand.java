package dev.towtank.app.command;

import dev.towtank.apiserver.pki.Pki;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.engine.Instance;
import dev.towtank.app.engine.LocalClient;
import dev.towtank.app.engine.VirtualTime;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.model.JsonText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Shows the server's time, and moves it ahead where the server was started for that.
@Command(
        name = "time",
        description = "Shows the server's time; 'time advance 7d' moves it, if it was started with --virtual-time.")
final class TimeCommand implements Callable<Integer> {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(d|h|m|s)");

    private final Surroundings surroundings;

    @Parameters(arity = "0..2", paramLabel = "advance TIME", description = "How far, such as 7d, 12h or 1d6h30m.")
    private List<String> words = List.of();

    @Mixin
    private final DataOption data = new DataOption();

    TimeCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        var by = by();
        var directory = data.resolve(surroundings);
        var address = Instance.running(directory)
                .flatMap(Instance::address)
                .orElseThrow(() -> new Failure("No server runs in " + directory + ". Start one with '"
                        + surroundings.programName() + " up --virtual-time'."));
        var pki = Pki.open(directory.pki(), surroundings.clock(), List.of());
        try (var client = LocalClient.admin(address, pki)) {
            var response = by.isZero()
                    ? client.get(VirtualTime.PATH)
                    : client.send("POST", VirtualTime.PATH + "?by=" + by, "", "");
            if (response.statusCode() == 404 && by.isZero()) {
                var now = surroundings.clock().instant().truncatedTo(ChronoUnit.SECONDS);
                surroundings.out().println("It is " + now + " for the server, as for this machine.");
                return ExitCode.OK;
            }
            if (response.statusCode() == 404 || response.statusCode() == 405) {
                throw new Failure("The server's clock cannot be moved: it was not started for that. Stop it, and start"
                        + " it with '" + surroundings.programName() + " up --virtual-time'.");
            }
            var answer = JsonText.parseObject(response.body());
            if (response.statusCode() != 200) {
                throw new Failure("The server refuses: " + answer.string("message"));
            }
            var ahead = Duration.parse(answer.string("ahead"));
            surroundings
                    .out()
                    .println("It is " + answer.string("now") + " for the server"
                            + (ahead.isZero() ? "." : ", " + StatusCommand.words(ahead) + " ahead of this machine."));
            return ExitCode.OK;
        }
    }

    private Duration by() {
        if (words.isEmpty()) {
            return Duration.ZERO;
        }
        if (words.size() != 2 || !words.getFirst().equals("advance")) {
            throw new Failure("Say 'time' or 'time advance TIME', such as 'time advance 7d'.");
        }
        return parse(words.get(1));
    }

    static Duration parse(String text) {
        var total = Duration.ZERO;
        int end = 0;
        for (var parts = PART.matcher(text); parts.find() && parts.start() == end; end = parts.end()) {
            long number = Long.parseLong(parts.group(1));
            total = total.plus(
                    switch (parts.group(2)) {
                        case "d" -> Duration.ofDays(number);
                        case "h" -> Duration.ofHours(number);
                        case "m" -> Duration.ofMinutes(number);
                        default -> Duration.ofSeconds(number);
                    });
        }
        if (end != text.length() || total.isZero()) {
            throw new Failure("'" + text + "' is no time to move by: write it like 7d, 12h or 1d6h30m.");
        }
        return total;
    }
}
