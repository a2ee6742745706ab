package dev.towtank.controllers.builds.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// What builds have written, a file each.
public final class BuildLogs {

    private static final System.Logger LOG = System.getLogger(BuildLogs.class.getName());
    private static final Pattern UID = Pattern.compile("[0-9a-f-]{8,64}");
    private static final int LARGEST = 1 << 20;

    private final Supplier<Path> directory;

    /// @param directory asked when something is written or read
    public BuildLogs(Supplier<Path> directory) {
        this.directory = directory;
    }

    private Optional<Path> file(String uid) {
        return UID.matcher(uid).matches()
                ? Optional.of(directory.get().resolve("logs").resolve(uid + ".log"))
                : Optional.empty();
    }

    void keep(String uid, List<String> lines) throws IOException {
        var file = file(uid);
        if (file.isPresent()) {
            Files.createDirectories(file.get().getParent());
            var text = String.join("\n", lines) + "\n";
            Files.writeString(file.get(), text.substring(Math.max(0, text.length() - LARGEST)));
        }
    }

    Optional<byte[]> read(String uid) throws IOException {
        var file = file(uid).filter(Files::isRegularFile);
        return file.isEmpty()
                ? Optional.empty()
                : Optional.of(Files.readString(file.get()).getBytes(StandardCharsets.UTF_8));
    }

    /// The build is gone.
    public void forget(String uid) {
        try {
            var file = file(uid);
            if (file.isPresent()) {
                Files.deleteIfExists(file.get());
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "the log of a build stays: " + e.getMessage());
        }
    }
}
