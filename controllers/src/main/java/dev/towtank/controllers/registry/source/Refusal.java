package dev.towtank.controllers.registry.source;

import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Json;
import java.io.IOException;

/// What the registry says when it does not do what it is asked, in the protocol's words.
final class Refusal extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    Refusal(int status, String code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    static Refusal unknownBlob() {
        return new Refusal(404, "BLOB_UNKNOWN", "blob unknown to registry");
    }

    static Refusal unknownManifest() {
        return new Refusal(404, "MANIFEST_UNKNOWN", "manifest unknown");
    }

    static Refusal unknownUpload() {
        return new Refusal(404, "BLOB_UPLOAD_UNKNOWN", "blob upload unknown to registry");
    }

    static Refusal wrongDigest() {
        return new Refusal(400, "DIGEST_INVALID", "provided digest did not match uploaded content");
    }

    static Refusal denied(String message) {
        return new Refusal(403, "DENIED", message);
    }

    WebResponse response() {
        var error = Json.Obj.of("code", Json.of(code), "message", Json.of(String.valueOf(getMessage())));
        return WebResponse.json(status, Json.Obj.of("errors", Json.Arr.of(error)));
    }
}
