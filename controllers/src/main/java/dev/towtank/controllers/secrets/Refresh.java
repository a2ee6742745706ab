package dev.towtank.controllers.secrets;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.batch.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/// When an ExternalSecret is read anew.
record Refresh(Resource object) {

    /// As a spec that names none is filled in.
    static final Duration USUAL = Duration.ofHours(1);

    Duration interval() {
        var text = object.spec().string("refreshInterval");
        try {
            return text.isEmpty() ? USUAL : Durations.parse(text);
        } catch (Durations.Malformed e) {
            return USUAL;
        }
    }

    private String policy() {
        return object.spec().string("refreshPolicy");
    }

    private boolean isPeriodic() {
        return policy().isEmpty() || policy().equals("Periodic");
    }

    private String synced() {
        return object.status().string("syncedResourceVersion");
    }

    Optional<Instant> last() {
        return Ready.moment(object.status().string("refreshTime"));
    }

    /// The same for as long as one refresh takes, and never again.
    String round() {
        return object.uid() + " " + object.status().string("refreshTime") + " " + Hashes.version(object);
    }

    /// Whether a change of the source is to be seen though it is not yet time.
    boolean followsSource() {
        return isPeriodic() && interval().isPositive();
    }

    boolean isDue(Instant now) {
        boolean never = synced().isEmpty() || last().isEmpty();
        boolean isChanged = !synced().equals(Hashes.version(object));
        // What failed is tried again, whatever the policy.
        if (never || !Ready.of(object.status()).isTrue()) {
            return true;
        }
        return switch (policy()) {
            case "CreatedOnce" -> false;
            case "OnChange" -> isChanged;
            default -> interval().isPositive() && (isChanged || isTime(last().orElse(now), now));
        };
    }

    private boolean isTime(Instant last, Instant now) {
        return last.isAfter(now) || (!now.isBefore(last.plus(interval())) && isInWindow(now));
    }

    /// When to look again though nothing changed.
    Optional<Instant> next(Instant now) {
        if (!isPeriodic() || !interval().isPositive()) {
            return Optional.empty();
        }
        var next = last().orElse(now).plus(interval());
        // It was time already, but a window was against it.
        return Optional.of(next.isAfter(now) ? next : now.plus(Duration.ofMinutes(1)));
    }

    private boolean isInWindow(Instant now) {
        if (!(object.spec().get("syncWindows") instanceof Json.Obj windows)) {
            return true;
        }
        boolean isActive = windows.objects("windows").stream().anyMatch(window -> isActive(window, now));
        return windows.string("kind").equals("deny") != isActive;
    }

    // A window that cannot be read is none, or a slip of the pen would end all refreshes.
    private static boolean isActive(Json.Obj window, Instant now) {
        try {
            var duration = Durations.parse(window.string("duration"));
            var time = now.atZone(ZoneOffset.UTC);
            return CronSchedule.parse(window.string("schedule"))
                    .next(time.minus(duration).minusSeconds(1))
                    .filter(opened -> !opened.isAfter(time))
                    .isPresent();
        } catch (Durations.Malformed | CronSchedule.Malformed e) {
            return false;
        }
    }
}
