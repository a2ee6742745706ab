package dev.towtank.node.logs;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/// The stored log of one run of a container.
public interface ContainerLog {

    /// What is stored; with `follow` also what will be, until the container has ended. Closing it from
    /// another thread ends a waiting reader.
    InputStream read(Query query) throws IOException;

    /// Whether its oldest lines are gone, as logs are kept up to a size.
    boolean lacksBeginning() throws IOException;

    /// Adds a line of our own.
    void append(String line) throws IOException;

    /// @param since lines of that time and later
    /// @param limitBytes the answer is cut off behind these many bytes
    record Query(
            boolean follow,
            boolean timestamps,
            Optional<Instant> since,
            OptionalLong tailLines,
            OptionalLong limitBytes) {
        public static Query all() {
            return new Query(false, false, Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
        }
    }
}
