package dev.towtank.controllers.rendering.source;

import dev.towtank.model.helm.ChartArchive;
import dev.towtank.model.helm.HelmError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// The files of a folder or an archive, by their paths in it. Links are not followed, and there is an end to
/// everything.
public final class ChartFiles {
    private static final int MAX_FILES = 20_000;
    private static final long MAX_BYTES = 100L << 20;
    private static final long MAX_ARCHIVE = 20L << 20;
    private static final int MAX_DEPTH = 40;

    private ChartFiles() {}

    public static Map<String, byte[]> read(Path place) throws IOException {
        if (Files.isDirectory(place)) {
            return folder(place);
        }
        if (Files.size(place) > MAX_ARCHIVE) {
            throw new HelmError(place + " is larger than the " + MAX_ARCHIVE + " bytes that an archive may have");
        }
        return ChartArchive.unpack(Files.readAllBytes(place));
    }

    private static Map<String, byte[]> folder(Path root) throws IOException {
        var files = new TreeMap<String, byte[]>();
        long bytes = 0;
        try (var paths = Files.walk(root, MAX_DEPTH)) {
            for (var path : (Iterable<Path>) paths::iterator) {
                if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                        || root.relativize(path).startsWith(".git")) {
                    continue;
                }
                bytes += Files.size(path);
                if (bytes > MAX_BYTES || files.size() >= MAX_FILES) {
                    throw new HelmError(
                            root + " has more than " + MAX_FILES + " files or " + MAX_BYTES + " bytes in it");
                }
                files.put(root.relativize(path).toString().replace('\\', '/'), Files.readAllBytes(path));
            }
        }
        return files;
    }
}
