package dev.towtank.node.images;

import dev.towtank.node.images.store.ImageImport;
import dev.towtank.node.images.store.LayerUnpacking;
import dev.towtank.node.images.store.UnpackLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32;

/// Unpacks root file systems that come as a tar archive, packed or not, once.
final class Archives {

    private Archives() {}

    /// The directory with the archive's content, which is unpacked again when the archive has changed.
    static synchronized Path unpacked(Path archive, Path cache) throws IOException {
        if (!Files.isRegularFile(archive)) {
            throw new IOException("its root " + archive + " is no file");
        }
        var sum = new CRC32();
        sum.update((archive.toAbsolutePath() + " " + Files.size(archive) + " " + Files.getLastModifiedTime(archive))
                .getBytes(StandardCharsets.UTF_8));
        var target = cache.resolve("root-" + HexFormat.of().toHexDigits(sum.getValue(), 8));
        if (Files.isDirectory(target)) {
            return target.toAbsolutePath();
        }
        Files.createDirectories(cache);
        var unfinished = Files.createTempDirectory(cache, "unpacking");
        try (var in = ImageImport.decompressed(archive)) {
            var _ = LayerUnpacking.run(in, unfinished, UnpackLimits.USUAL);
        }
        try {
            Files.move(unfinished, target);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("somebody else unpacks into " + cache, e);
        }
        return target.toAbsolutePath();
    }
}
