package dev.towtank.model;

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
    static Optional<Patch> of(String mediaType, Json body) {
        return switch (mediaType) {
            case "application/json-patch+json" ->
                body instanceof Json.Arr operations ? Optional.of(new Operations(operations)) : Optional.empty();
            case "application/merge-patch+json" ->
                body instanceof Json.Obj object ? Optional.of(new Merge(object)) : Optional.empty();
            case "application/strategic-merge-patch+json" ->
                body instanceof Json.Obj object ? Optional.of(new Strategic(object)) : Optional.empty();
            case "application/apply-patch+yaml" ->
                body instanceof Json.Obj object ? Optional.of(new Apply(object)) : Optional.empty();
            default -> Optional.empty();
        };
    }
}
