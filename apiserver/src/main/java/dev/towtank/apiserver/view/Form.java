package dev.towtank.apiserver.view;

/// How a client wants its answer: which text, and which shape of the object in it.
///
/// @param version of the group `meta.k8s.io` (or `apidiscovery.k8s.io`) that the shape is of
public record Form(Format format, Shape shape, String version, boolean pretty) {

    public static final Form JSON = new Form(Format.JSON, Shape.OBJECT, "v1", false);

    public enum Format {
        JSON("application/json"),
        YAML("application/yaml");

        private final String mediaType;

        Format(String mediaType) {
            this.mediaType = mediaType;
        }

        public String mediaType() {
            return mediaType;
        }
    }

    public enum Shape {
        /// As it is stored.
        OBJECT,
        TABLE,
        METADATA,
        METADATA_LIST,
        /// All of discovery in one document.
        DISCOVERY
    }

    public Form withPretty(boolean wanted) {
        return new Form(format, shape, version, wanted);
    }

    /// The same text without the shape, for errors and other things that have no other.
    public Form plain() {
        return new Form(format, Shape.OBJECT, "v1", pretty);
    }

    /// Whether the stored bytes can be sent as they are.
    public boolean isStored() {
        return format == Format.JSON && shape == Shape.OBJECT && !pretty;
    }

    String apiVersion() {
        return "meta.k8s.io/" + version;
    }
}
