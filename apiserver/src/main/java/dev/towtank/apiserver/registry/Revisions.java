package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Params;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import java.util.List;

/// The `resourceVersion` rules of get, list and watch.
final class Revisions {

    private static final Path MATCH = Path.of("resourceVersionMatch");
    private static final String EXACT = "Exact";
    private static final String NOT_OLDER_THAN = "NotOlderThan";

    private Revisions() {}

    /// A resource version from a client, or 0 where it names none.
    static long parse(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // told below, in the same words as a negative number
        }
        throw StatusError.relayed(
                500,
                "",
                "resourceVersion: Invalid value: \"" + text + "\": strconv.ParseUint: parsing \"" + text
                        + "\": invalid syntax",
                Json.Obj.EMPTY);
    }

    // The same mistake in a list has another code.
    private static long listed(String text) {
        try {
            return parse(text);
        } catch (StatusError e) {
            throw StatusError.badRequest("invalid resource version: " + e.text());
        }
    }

    static void checkReached(long asked, long current) {
        if (asked > current) {
            throw tooLarge(asked, current);
        }
    }

    static StatusError tooLarge(long asked, long current) {
        var details = Json.Obj.of(
                "causes",
                Json.Arr.of(Json.Obj.of(
                        "reason",
                        Json.of("ResourceVersionTooLarge"),
                        "message",
                        Json.of("Too large resource version"))),
                "retryAfterSeconds",
                Json.of(1));
        return new StatusError(
                StatusError.Reason.TIMEOUT,
                "Timeout: Too large resource version: " + asked + ", current: " + current,
                details);
    }

    /// The revision a list must be taken at, or 0 for the newest.
    ///
    /// Without Exact, anything not older than what is asked will do, and the newest always is.
    static long listAt(Params params, long current) {
        long asked = listed(params.text("resourceVersion"));
        checkReached(asked, current);
        boolean exact = params.text("resourceVersionMatch").equals(EXACT);
        boolean legacyExact = params.text("resourceVersionMatch").isEmpty()
                && params.has("limit")
                && asked > 0
                && params.number("limit").orElse(0L) > 0;
        return exact || legacyExact ? asked : 0;
    }

    static void checkListOptions(Params params) {
        var errors = new FieldError.Collector();
        var _ = params.number("timeoutSeconds"); // refuses what is no number
        var match = params.text("resourceVersionMatch");
        if (!match.isEmpty()) {
            if (params.text("resourceVersion").isEmpty()) {
                errors.forbidden(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided");
            }
            if (!params.text("continue").isEmpty()) {
                errors.forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided");
            }
            if (!match.equals(EXACT) && !match.equals(NOT_OLDER_THAN)) {
                errors.notSupported(MATCH, Json.of(match), List.of(EXACT, NOT_OLDER_THAN, ""));
            }
            if (match.equals(EXACT) && params.text("resourceVersion").equals("0")) {
                errors.forbidden(MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
            }
        }
        if (params.has("sendInitialEvents")) {
            errors.forbidden(Path.of("sendInitialEvents"), "sendInitialEvents is forbidden for list");
        }
        refuse(errors);
    }

    static void checkWatchOptions(Params params) {
        var errors = new FieldError.Collector();
        var _ = params.number("timeoutSeconds");
        var match = params.text("resourceVersionMatch");
        boolean initial = params.has("sendInitialEvents");
        if (initial && !match.equals(NOT_OLDER_THAN)) {
            errors.forbidden(MATCH, "sendInitialEvents requires setting resourceVersionMatch to " + NOT_OLDER_THAN);
        }
        if (!match.isEmpty()) {
            if (!initial) {
                errors.forbidden(
                        MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
            }
            if (!match.equals(NOT_OLDER_THAN)) {
                errors.notSupported(MATCH, Json.of(match), List.of(NOT_OLDER_THAN));
            }
            if (!params.text("continue").isEmpty()) {
                errors.forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided");
            }
        }
        refuse(errors);
    }

    private static void refuse(FieldError.Collector errors) {
        if (!errors.isEmpty()) {
            throw StatusError.invalid("meta.k8s.io", "ListOptions", "", errors.errors());
        }
    }
}
