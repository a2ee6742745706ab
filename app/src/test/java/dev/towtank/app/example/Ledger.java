package dev.towtank.app.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/// The towns that were ever lit, a line each: no object tells of a lantern that is gone.
final class Ledger {

    private final Path file;

    /// @param directory the feature's own
    Ledger(Path directory) {
        file = directory.resolve("towns");
    }

    /// A second time changes nothing: after a crash, deeds are done again.
    synchronized void add(String town) {
        if (!towns().contains(town)) {
            try {
                Files.writeString(file, town + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    synchronized List<String> towns() {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Why no lantern can be lit.
    Optional<String> problem() {
        return Files.isWritable(file.getParent()) ? Optional.empty() : Optional.of("cannot write " + file);
    }
}
