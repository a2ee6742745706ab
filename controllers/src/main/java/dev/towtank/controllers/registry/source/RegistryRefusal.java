package dev.towtank.controllers.registry.source;

import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Json;
import java.io.IOException;

/// What the registry says when it does not do what it is asked, in the protocol's words.
final class RegistryRefusal extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    RegistryRefusal(int status, String code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    static RegistryRefusal unknownBlob() {
        return new RegistryRefusal(404, "BLOB_UNKNOWN", "blob unknown to registry");
    }

    static RegistryRefusal unknownManifest() {
        return new RegistryRefusal(404, "MANIFEST_UNKNOWN", "manifest unknown");
    }

    static RegistryRefusal unknownUpload() {
        return new RegistryRefusal(404, "BLOB_UPLOAD_UNKNOWN", "blob upload unknown to registry");
    }

    static RegistryRefusal wrongDigest() {
        return new RegistryRefusal(400, "DIGEST_INVALID", "provided digest did not match uploaded content");
    }

    static RegistryRefusal denied(String message) {
        return new RegistryRefusal(403, "DENIED", message);
    }

    WebResponse response() {
        var error = Json.Obj.of("code", Json.of(code), "message", Json.of(String.valueOf(getMessage())));
        return WebResponse.json(status, Json.Obj.of("errors", Json.Arr.of(error)));
    }
}
