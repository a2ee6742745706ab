package dev.towtank.apiserver;

import dev.towtank.model.Json;
import java.util.function.BooleanSupplier;

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
        private final BooleanSupplier unwanted;

        /// @param mediaType without parameters, lower case, such as `application/merge-patch+json`
        public Text(String mediaType, byte[] bytes) {
            this(mediaType, bytes, () -> false);
        }

        /// @param unwanted whether nobody waits for the answer any more: then it need not be read to its end
        public Text(String mediaType, byte[] bytes, BooleanSupplier unwanted) {
            this.mediaType = mediaType;
            this.bytes = bytes;
            this.unwanted = unwanted;
        }

        public String mediaType() {
            return mediaType;
        }

        public byte[] bytes() {
            return bytes;
        }

        public BooleanSupplier unwanted() {
            return unwanted;
        }
    }

    record Tree(String mediaType, Json json) implements Body {}

    static Body of(Json json) {
        return new Tree("application/json", json);
    }
}
