package dev.towtank.controllers.gitops.health;

import dev.towtank.model.Json;
import java.util.Locale;

/// How an object is.
public record Health(Code status, String message) {

    /// From best to worst.
    public enum Code {
        HEALTHY,
        SUSPENDED,
        PROGRESSING,
        MISSING,
        DEGRADED,
        UNKNOWN;

        public String wire() {
            return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
        }

        public boolean isWorseThan(Code other) {
            return compareTo(other) > 0;
        }
    }

    public static final Health HEALTHY = new Health(Code.HEALTHY, "");

    public static Health of(Code status, String message) {
        return new Health(status, message);
    }

    public static Health progressing(String message) {
        return new Health(Code.PROGRESSING, message);
    }

    public static Health degraded(String message) {
        return new Health(Code.DEGRADED, message);
    }

    public boolean is(Code code) {
        return status == code;
    }

    public Json.Obj json() {
        return Json.Obj.builder()
                .put("status", status.wire())
                .putNonEmpty("message", message)
                .build();
    }
}
