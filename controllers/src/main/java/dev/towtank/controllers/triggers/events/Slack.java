package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.events.EventRefusal.Code;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.time.Duration;
import java.time.Instant;

/// The interceptor `slack`: fields of a form that Slack sent, and that Slack has signed.
final class Slack {

    private static final Duration FRESH = Duration.ofMinutes(5);
    private static final int LONGEST_TIME = 12;

    private Slack() {}

    static Json.Obj process(Event event, Json.Obj params, Means means) throws EventRefusal {
        if (!event.headers().first("Content-Type").startsWith("application/x-www-form-urlencoded")
                || event.headers().first("X-Slack-Signature").isEmpty()) {
            throw new EventRefusal(
                    Code.INVALID_ARGUMENT, "missing header in payload: ContentType application/x-www-form-urlencoded");
        }
        requireSignature(event, params, means);
        if (!params.has("requestedFields")) {
            throw new EventRefusal(Code.NOT_FOUND, "missing requested field definition");
        }
        Json.Obj payload;
        try {
            payload = JsonText.parseObject(event.body());
        } catch (JsonText.Malformed e) {
            throw new EventRefusal(Code.INVALID_ARGUMENT, "failed to unmarshl slack payload: " + e.getMessage());
        }
        var found = Json.Obj.EMPTY;
        for (var field : params.array("requestedFields").strings()) {
            var value = payload.get(field);
            if (value == null) {
                throw new EventRefusal(Code.NOT_FOUND, "requested field does not exists in payload: \"" + field + "\"");
            }
            found = found.with(field, value);
        }
        return found;
    }

    // v0=HMAC of "v0:<time>:<body as it was sent>"; an old one was taken from somewhere.
    private static void requireSignature(Event event, Json.Obj params, Means means) throws EventRefusal {
        if (!params.has("secretRef")) {
            if (means.deviations().has(Deviations.SLACK)) {
                throw new EventRefusal(
                        Code.FAILED_PRECONDITION,
                        "the slack interceptor has no secretRef, so nobody knows who sent this: name the signing secret"
                                + " there, or annotate the listener with " + Deviations.ANNOTATION + ": "
                                + Deviations.SLACK);
            }
            return;
        }
        var time = event.headers().first("X-Slack-Request-Timestamp");
        if (!time.matches("[0-9]{1," + LONGEST_TIME + "}")) {
            throw new EventRefusal(Code.FAILED_PRECONDITION, "no X-Slack-Request-Timestamp header set");
        }
        var age = Duration.between(Instant.ofEpochSecond(Long.parseLong(time)), means.now())
                .abs();
        var signature = event.headers().first("X-Slack-Signature");
        if (!signature.startsWith("v0=")) {
            throw new EventRefusal(Code.FAILED_PRECONDITION, "unknown version of the signature in X-Slack-Signature");
        }
        Signatures.requireHmac(
                "sha256=" + signature.substring(3),
                "v0:" + time + ":" + event.sent(),
                Signatures.secret(params, "secretRef", means.secrets()),
                "");
        if (age.compareTo(FRESH) > 0) {
            throw new EventRefusal(
                    Code.FAILED_PRECONDITION,
                    "the request is more than five minutes old: it may be sent again by another");
        }
    }
}
