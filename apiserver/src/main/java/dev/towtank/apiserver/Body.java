package dev.towtank.apiserver;

import dev.towtank.model.Json;

/// What a request carries: text from the network with its media type, or a tree from a caller in the process.
///
/// For a patch the media type says which kind of patch it is.
public sealed interface Body {

    record None() implements Body {
        public static final None NONE = new None();
    }

    final class Text implements Body {
        private final String mediaType;
        private final byte[] bytes;

        /// @param mediaType without parameters, lower case, such as `application/merge-patch+json`
        public Text(String mediaType, byte[] bytes) {
            this.mediaType = mediaType;
            this.bytes = bytes;
        }

        public String mediaType() {
            return mediaType;
        }

        public byte[] bytes() {
            return bytes;
        }
    }

    record Tree(String mediaType, Json json) implements Body {}

    static Body of(Json json) {
        return new Tree("application/json", json);
    }
}
