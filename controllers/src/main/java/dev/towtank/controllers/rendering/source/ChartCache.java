package dev.towtank.controllers.rendering.source;

import dev.towtank.model.Sha256;
import dev.towtank.model.helm.ChartArchive;
import dev.towtank.model.helm.HelmError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/// What was read from repositories and registries, in a folder. Names of files follow from addresses by their digest,
/// so
/// no address becomes a path.
final class ChartCache {
    static final int LARGEST = 20 << 20;

    private final Path folder;

    ChartCache(Path folder) {
        this.folder = folder;
    }

    interface Source {
        byte[] read() throws IOException;
    }

    Map<String, byte[]> files(String chart, String version, Source source) throws IOException {
        var name = name(chart + "@" + version) + ".tgz";
        var known = read(name);
        if (known.isPresent()) {
            return unpacked(known.get());
        }
        var archive = source.read();
        var files = unpacked(archive);
        write(name, archive);
        return files;
    }

    static Map<String, byte[]> unpacked(byte[] archive) throws IOException {
        try {
            return ChartArchive.unpack(archive);
        } catch (HelmError e) {
            throw new IOException(e.text(), e);
        }
    }

    static String name(String what) {
        return HexFormat.of().formatHex(Sha256.of(what.getBytes(StandardCharsets.UTF_8)));
    }

    Optional<byte[]> read(String name) throws IOException {
        var file = folder.resolve(name);
        return Files.isRegularFile(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
    }

    /// Others may read at the same moment; they see all of it or nothing.
    void write(String name, byte[] content) throws IOException {
        Files.createDirectories(folder);
        var whole = Files.createTempFile(folder, name, ".part");
        try {
            Files.write(whole, content);
            Files.move(
                    whole, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(whole);
        }
    }
}
