package dev.towtank.cluster.web;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Opens ports on this machine's loopback address for features that need one of their own: listeners of triggers,
/// object
/// stores, model servers. A Service leads to such a port by an EndpointSlice with its address.
@FunctionalInterface
public interface WebDoor {

    /// Where nothing can listen.
    WebDoor CLOSED = port -> {
        throw new IOException("nothing can listen here for " + port.name() + ": this place has no web door");
    };

    /// Answers from now on.
    Open open(Port port) throws IOException;

    /// @param name for logs and threads
    /// @param number 0 for any free one
    /// @param tls the names that its certificate is for; without them it speaks plain HTTP
    /// @param own a certificate and a key that somebody brings along, in place of one of ours
    /// @param atOnce how many requests may be under way; more get 503
    /// @param timeout after which a request is answered with 504
    record Port(
            String name,
            int number,
            Optional<List<String>> tls,
            Optional<KeyPair> own,
            long largestBody,
            int atOnce,
            Duration timeout,
            WebHandler handler) {

        private static final int MANY = 512;
        private static final Duration LONG = Duration.ofSeconds(60);

        /// Plain HTTP on any free port, with the usual limits.
        public static Port plain(String name, WebHandler handler) {
            return new Port(name, 0, Optional.empty(), Optional.empty(), Endpoint.USUAL_BODY, MANY, LONG, handler);
        }

        public Port withTls(List<String> names) {
            return new Port(name, number, Optional.of(List.copyOf(names)), own, largestBody, atOnce, timeout, handler);
        }

        public Port withTls(KeyPair identity) {
            return new Port(name, number, tls, Optional.of(identity), largestBody, atOnce, timeout, handler);
        }

        public Port withLargestBody(long bytes) {
            return new Port(name, number, tls, own, bytes, atOnce, timeout, handler);
        }

        public Port withNumber(int port) {
            return new Port(name, port, tls, own, largestBody, atOnce, timeout, handler);
        }

        public Port withTimeout(Duration longest) {
            return new Port(name, number, tls, own, largestBody, atOnce, longest, handler);
        }
    }

    /// In PEM: a chain of certificates, and the key of the first.
    record KeyPair(String certificates, String key) {
        /// Without the key.
        @Override
        public String toString() {
            return "a certificate with its key";
        }
    }

    interface Open extends AutoCloseable {

        int port();

        /// Takes no new requests; those under way are cut after a moment.
        @Override
        void close();
    }
}
