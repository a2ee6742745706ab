package dev.towtank.app.engine;

import dev.towtank.cluster.SystemTimers;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.TravelTimers;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/// The time that the server lives in: the machine's, or one that can be moved ahead.
///
/// How far it was moved is kept, since an object must never be older than the one made before it.
public record VirtualTime(Timers timers, List<Endpoint> endpoints, Runnable end) implements AutoCloseable {

    public static final String PATH = "/towtank/time";

    private static final Duration LONGEST = Duration.ofDays(3_660);

    public static VirtualTime open(Optional<Path> kept) {
        var machine = new SystemTimers();
        if (kept.isEmpty()) {
            return new VirtualTime(machine, List.of(), machine::close);
        }
        var timers = new TravelTimers(machine, read(kept.get()));
        var endpoint = Endpoint.authorized(PATH, request -> WebResponse.json(200, answer(timers, kept.get(), request)));
        return new VirtualTime(timers, List.of(endpoint), timers::close);
    }

    private static Duration read(Path file) {
        try {
            return Files.exists(file) ? Duration.parse(Files.readString(file).strip()) : Duration.ZERO;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (DateTimeParseException e) {
            throw new Failure(
                    file + " should hold a duration such as PT168H, and does not. Use another data"
                            + " directory, or write into it how far the clock was moved.",
                    e);
        }
    }

    private static Json.Obj answer(TravelTimers timers, Path file, WebRequest request) {
        if (request.caller()
                .filter(caller -> !caller.cluster().equals(LogicalCluster.DEFAULT))
                .isPresent()) {
            // The clock is everybody's.
            throw new StatusError(StatusError.Reason.NOT_FOUND, "the server could not find the requested resource");
        }
        if (request.method().equals("POST")) {
            advance(timers, file, request.parameter("by"));
        } else if (!request.method().equals("GET")) {
            throw new StatusError(StatusError.Reason.METHOD_NOT_ALLOWED, "time can be read and advanced (POST)");
        }
        return Json.Obj.builder()
                .put("now", timers.instant().toString())
                .put("ahead", timers.ahead().toString())
                .build();
    }

    private static void advance(TravelTimers timers, Path file, String by) {
        Duration duration;
        try {
            duration = Duration.parse(by);
        } catch (DateTimeParseException e) {
            throw StatusError.badRequest("by: \"" + by + "\" is no duration such as PT168H");
        }
        var ahead = timers.ahead().plus(duration);
        if (duration.isNegative() || ahead.compareTo(LONGEST) > 0) {
            throw StatusError.badRequest("time moves forward only, and at most ten years from the machine's");
        }
        try {
            var fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(fresh, ahead.toString());
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw StatusError.internal("cannot write " + file + ": " + e);
        }
        timers.advance(duration);
    }

    @Override
    public void close() {
        end.run();
    }
}
