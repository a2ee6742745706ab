package dev.towtank.apiserver.http;

import dev.towtank.model.LogicalCluster;
import java.util.Optional;

/// The documents below `/openapi`.
@FunctionalInterface
public interface Documents {

    Documents NONE = (_, _, _) -> Optional.empty();

    /// @param path such as `/openapi/v2` or `/openapi/v3/apis/apps/v1`
    /// @param accept the request's header, empty when absent
    /// @throws dev.towtank.model.StatusError NotAcceptable when the document exists in no format the client accepts
    Optional<Document> find(LogicalCluster cluster, String path, String accept);

    final class Document {
        private final byte[] bytes;
        private final String contentType;
        private final String etag;

        /// @param etag without quotes; changes when the bytes do
        public Document(byte[] bytes, String contentType, String etag) {
            this.bytes = bytes;
            this.contentType = contentType;
            this.etag = etag;
        }

        public byte[] bytes() {
            return bytes;
        }

        public String contentType() {
            return contentType;
        }

        public String etag() {
            return etag;
        }
    }
}
