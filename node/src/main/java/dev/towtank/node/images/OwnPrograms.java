package dev.towtank.node.images;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Small programs that images have, no machine has, and that we bring with us.
final class OwnPrograms {

    private static final Map<String, String> SOURCES = Map.of("towtank-git-init", "git-init.sh");

    private OwnPrograms() {}

    /// Where it lies below a directory of ours; it is put there when somebody asks for it first.
    ///
    /// @param more programs besides our own, by name
    static Optional<Path> placed(String name, Path directory, Function<String, Optional<byte[]>> more) {
        try {
            var content = content(name).or(() -> more.apply(name));
            return content.isEmpty()
                    ? Optional.empty()
                    : Optional.of(placed(content.get(), directory.resolve("programs"), name));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot place the program " + name, e);
        }
    }

    private static Optional<byte[]> content(String name) throws IOException {
        var source = SOURCES.get(name);
        if (source == null) {
            return Optional.empty();
        }
        try (var in = OwnPrograms.class.getResourceAsStream(source)) {
            if (in == null) {
                throw new IllegalStateException(source + " is not where it was built into");
            }
            return Optional.of(in.readAllBytes());
        }
    }

    private static Path placed(byte[] content, Path directory, String name) throws IOException {
        var place = directory.resolve(name);
        if (Files.isExecutable(place) && Arrays.equals(Files.readAllBytes(place), content)) {
            return place;
        }
        Files.createDirectories(directory);
        var draft = Files.createTempFile(directory, name, ".new");
        Files.write(draft, content);
        Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
