package dev.towtank.cluster.remote;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;

/// Answers that are refusals, as the [StatusError] that the server meant.
final class RemoteErrors {

    private static final int LONGEST_TEXT = 300;

    private RemoteErrors() {}

    /// @param retryAfter the header, or empty
    static StatusError of(int code, byte[] body, String retryAfter) {
        var error = parsed(body)
                .filter(json -> json.string("kind").equals("Status"))
                .map(status -> of(status, code))
                .orElseGet(() -> new StatusError(byCode(code), "the server answered " + code + text(body)));
        return withRetryAfter(error, retryAfter);
    }

    /// A Status that came as such, in an answer or as an event of a watch.
    static StatusError of(Json.Obj status, int code) {
        var reason = Stream.of(Reason.values())
                .filter(each -> each.wire().equals(status.string("reason")) && each != Reason.UNKNOWN)
                .findFirst()
                .orElseGet(() -> byCode((int) status.integerOr(code, "code")));
        return new StatusError(reason, status.string("message"), status.object("details"));
    }

    private static Optional<Json.Obj> parsed(byte[] body) {
        try {
            return Optional.of(JsonText.parseObject(body));
        } catch (JsonText.Malformed e) {
            return Optional.empty();
        }
    }

    private static String text(byte[] body) {
        var text = new String(body, StandardCharsets.UTF_8).strip();
        return text.isEmpty() ? "" : ": " + text.substring(0, Math.min(text.length(), LONGEST_TEXT));
    }

    private static StatusError withRetryAfter(StatusError error, String retryAfter) {
        if (error.retryAfterSeconds() > 0 || !retryAfter.matches("[0-9]{1,5}")) {
            return error;
        }
        var details = error.details().with("retryAfterSeconds", Json.of(Long.parseLong(retryAfter)));
        return new StatusError(error.reason(), error.text(), details);
    }

    private static Reason byCode(int code) {
        return switch (code) {
            case 400 -> Reason.BAD_REQUEST;
            case 401 -> Reason.UNAUTHORIZED;
            case 403 -> Reason.FORBIDDEN;
            case 404 -> Reason.NOT_FOUND;
            case 405 -> Reason.METHOD_NOT_ALLOWED;
            case 406 -> Reason.NOT_ACCEPTABLE;
            case 409 -> Reason.CONFLICT;
            case 410 -> Reason.EXPIRED;
            case 413 -> Reason.REQUEST_TOO_LARGE;
            case 415 -> Reason.UNSUPPORTED_MEDIA_TYPE;
            case 422 -> Reason.INVALID;
            case 429 -> Reason.TOO_MANY_REQUESTS;
            case 502, 503 -> Reason.SERVICE_UNAVAILABLE;
            case 504 -> Reason.TIMEOUT;
            default -> Reason.INTERNAL_ERROR;
        };
    }
}
