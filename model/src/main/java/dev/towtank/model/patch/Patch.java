package dev.towtank.model.patch;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.util.Optional;

/// A change to an object as a value. What it means is in [JsonPatch], [MergePatch] and [StrategicMergePatch].
public sealed interface Patch {

    String mediaType();

    Json body();

    /// RFC 6902, as lenient as Kubernetes is.
    record Operations(Json.Arr body) implements Patch {
        @Override
        public String mediaType() {
            return "application/json-patch+json";
        }
    }

    /// RFC 7386.
    record Merge(Json.Obj body) implements Patch {
        @Override
        public String mediaType() {
            return "application/merge-patch+json";
        }
    }

    /// Merges lists by key, as the schema of a built-in kind says.
    record Strategic(Json.Obj body) implements Patch {
        @Override
        public String mediaType() {
            return "application/strategic-merge-patch+json";
        }
    }

    /// Server-side apply: the fields that the caller wants to own.
    record Apply(Json.Obj body) implements Patch {
        @Override
        public String mediaType() {
            return "application/apply-patch+yaml";
        }
    }

    static boolean isApply(String mediaType) {
        return mediaType.equals("application/apply-patch+yaml");
    }

    /// The patch that a media type and a body make, or nothing where the type is not one of a patch.
    ///
    /// @throws StatusError BadRequest for a body that is no such patch
    static Optional<Patch> of(String mediaType, Json body) {
        return switch (mediaType) {
            case "application/json-patch+json" -> Optional.of(operations(body));
            case "application/merge-patch+json" -> Optional.of(new Merge(object(body, "error decoding patch: ")));
            case "application/strategic-merge-patch+json" -> Optional.of(new Strategic(object(body, "")));
            case "application/apply-patch+yaml" -> Optional.of(new Apply(object(body, "error decoding patch: ")));
            default -> Optional.empty();
        };
    }

    private static Operations operations(Json body) {
        if (body instanceof Json.Arr operations) {
            return new Operations(operations);
        }
        throw StatusError.badRequest("error decoding patch: json: cannot unmarshal " + JsonPatch.goName(body)
                + " into Go value of type []handlers.jsonPatchOp");
    }

    private static Json.Obj object(Json body, String beginning) {
        if (body instanceof Json.Obj object) {
            return object;
        }
        throw StatusError.badRequest(beginning + "json: cannot unmarshal " + JsonPatch.goName(body)
                + " into Go value of type map[string]interface {}");
    }
}
