package dev.towtank.app.applications;

import dev.towtank.app.run.view.SyncScreen;
import dev.towtank.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Waits for the end of an operation, and shows it meanwhile.
///
/// @param before when the last operation began, which is not the one that is waited for; empty for whichever comes
public record Waiting(Applications applications, String name, String before) {

    private static final Set<String> BAD = Set.of("Failed", "Error");

    /// After so long without news somebody who looks on wants to know why.
    private static final Duration STILL = Duration.ofSeconds(10);

    /// @param application how it was in the end; empty where it is gone
    /// @param isOver whether the operation ended in time
    public record Ending(Optional<Json.Obj> application, boolean isOver) {
        public boolean isGood() {
            return isOver
                    && application
                            .filter(it ->
                                    !BAD.contains(it.string("status", "operationState", "phase")) && !hasErrors(it))
                            .isPresent();
        }
    }

    /// @param explanation why an Application is as it is
    public Ending until(
            Instant end, InstantSource clock, SyncScreen screen, Function<Json.Obj, List<String>> explanation) {
        var news = "";
        var since = clock.instant();
        boolean isExplained = false;
        while (clock.instant().isBefore(end)) {
            applications.follow(name, seen -> {
                screen.show(seen, clock.instant());
                return !isOver(seen) && clock.instant().isBefore(end);
            });
            var now = applications.find(name);
            if (now.isEmpty() || isOver(now.get())) {
                return new Ending(now, true);
            }
            var message = now.get().string("status", "operationState", "message");
            if (!message.equals(news)) {
                news = message;
                since = clock.instant();
                isExplained = false;
            } else if (!isExplained && since.plus(STILL).isBefore(clock.instant())) {
                screen.tell(explanation.apply(now.get()));
                isExplained = true;
            }
            screen.show(now.get(), clock.instant());
        }
        return new Ending(applications.find(name), false);
    }

    private static boolean hasErrors(Json.Obj application) {
        return application.objects("status", "conditions").stream()
                .anyMatch(each -> each.string("type").endsWith("Error"));
    }

    private boolean isOver(Json.Obj application) {
        var state = application.object("status", "operationState");
        if (hasErrors(application) && !state.string("phase").equals("Running")) {
            return true;
        }
        if (application.has("operation")
                || (!before.isEmpty() && state.string("startedAt").equals(before))) {
            return false;
        }
        return BAD.contains(state.string("phase"))
                || (state.string("phase").equals("Succeeded")
                        && application.string("status", "sync", "status").equals("Synced")
                        && application.string("status", "health", "status").equals("Healthy"))
                || (state.string("phase").equals("Succeeded") && !before.isEmpty());
    }
}
