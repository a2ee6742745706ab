package dev.towtank.apiserver.admission.webhooks;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// What a webhook said about a request.
///
/// @param status why it refuses; may be empty
/// @param patch operations to change the object by; none where it shall stay
record Reply(boolean allowed, Json.Obj status, Json.Arr patch, Map<String, String> annotations, List<String> warnings) {

    /// An answer that is none.
    static final class Invalid extends Exception {
        private static final long serialVersionUID = 1;

        Invalid(String why) {
            super(why, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    /// @param version of AdmissionReview; the older one asks less of an answer
    static Reply read(Json.Obj review, String version, String uid, boolean mutating) throws Invalid {
        if (!(review.get("response") instanceof Json.Obj response)) {
            throw new Invalid("webhook response was absent");
        }
        boolean strict = version.equals("v1");
        if (strict) {
            verify(review, response, uid);
        }
        var patch = patch(response, strict, mutating);
        return new Reply(
                response.flag("allowed"),
                response.object("status"),
                patch,
                response.stringMap("auditAnnotations"),
                response.array("warnings").strings());
    }

    private static void verify(Json.Obj review, Json.Obj response, String uid) throws Invalid {
        if (!response.string("uid").equals(uid)) {
            throw new Invalid("expected response.uid=\"" + uid + "\", got \"" + response.string("uid") + "\"");
        }
        var type = type(review.string("apiVersion"), review.string("kind"));
        var expected = type("admission.k8s.io/v1", "AdmissionReview");
        if (!type.equals(expected)) {
            throw new Invalid("expected webhook response of " + expected + ", got " + type);
        }
    }

    private static String type(String apiVersion, String kind) {
        return (apiVersion.isEmpty() ? "/" : apiVersion) + ", Kind=" + kind;
    }

    private static Json.Arr patch(Json.Obj response, boolean strict, boolean mutating) throws Invalid {
        var encoded = response.string("patch");
        boolean typed = response.get("patchType") instanceof Json.Str;
        if (!mutating) {
            if (strict && !encoded.isEmpty()) {
                throw new Invalid("validating webhook may not return response.patch");
            }
            if (strict && typed) {
                throw new Invalid("validating webhook may not return response.patchType");
            }
            return Json.Arr.EMPTY;
        }
        if (strict && !encoded.isEmpty() && !typed) {
            throw new Invalid("webhook returned response.patch but not response.patchType");
        }
        if (strict && encoded.isEmpty() && typed) {
            throw new Invalid("webhook returned response.patchType but not response.patch");
        }
        if (typed && !response.string("patchType").equals("JSONPatch")) {
            throw new Invalid("unsupported patch type \"" + response.string("patchType") + "\"");
        }
        return encoded.isEmpty() ? Json.Arr.EMPTY : decoded(encoded);
    }

    private static Json.Arr decoded(String encoded) throws Invalid {
        try {
            var text = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            if (JsonText.parse(text) instanceof Json.Arr operations) {
                return operations;
            }
        } catch (JsonText.Malformed | IllegalArgumentException e) {
            // Told below, without the patch: it may hold what nobody else should see.
        }
        throw new Invalid("received undecodable patch in webhook response");
    }

    /// The refusal as the client gets it.
    StatusError refusal(String webhook) {
        var denied = "admission webhook \"" + webhook + "\" denied the request";
        var message = status.string("message");
        var reason = status.string("reason");
        var text = !message.isEmpty()
                ? denied + ": " + message
                : !reason.isEmpty() ? denied + ": " + reason : denied + " without explanation";
        int code = Math.clamp(status.integer("code"), 400, 599);
        return StatusError.relayed(code, reason, text, status.object("details"));
    }
}
