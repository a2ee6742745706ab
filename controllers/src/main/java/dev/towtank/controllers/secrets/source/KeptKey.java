package dev.towtank.controllers.secrets.source;

import dev.towtank.cluster.Place;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;

/// The key of this server's chance. It outlives the process: what a template or a generator made once must not look
/// wrong to the next one.
public final class KeptKey {

    private static final int BYTES = 32;

    private KeptKey() {}

    /// Where a place has no directory, the key lasts as long as the process.
    public static byte[] in(Place place) {
        var key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        try {
            return kept(place.directory().resolve("chance"), key);
        } catch (StatusError | IOException e) {
            return key;
        }
    }

    private static byte[] kept(Path file, byte[] fresh) throws IOException {
        if (Files.exists(file)) {
            var found = Files.readAllBytes(file);
            if (found.length == BYTES) {
                return found;
            }
        }
        var half = file.resolveSibling("chance.new");
        Files.write(half, fresh);
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
        return fresh;
    }
}
