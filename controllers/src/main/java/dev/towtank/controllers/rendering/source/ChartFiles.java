package dev.towtank.controllers.rendering.source;

import dev.towtank.model.helm.ChartArchive;
import dev.towtank.model.helm.HelmError;
import dev.towtank.model.helm.HelmIgnore;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The files of a folder or an archive, by their paths in it. There is an end to everything.
public final class ChartFiles {
    private static final int MAX_FILES = 20_000;
    private static final long MAX_BYTES = 100L << 20;
    private static final long MAX_ARCHIVE = 20L << 20;
    private static final int MAX_DEPTH = 40;

    private final Path root;
    private final Path real;
    private final boolean isChart;
    private final Map<String, byte[]> files = new TreeMap<>();
    /// Links that lead where nothing is read, and why; whether somebody wants to know is found out at the end.
    private final Map<String, String> refused = new TreeMap<>();

    private final Deque<Path> open = new ArrayDeque<>();
    private long bytes;

    private ChartFiles(Path root, boolean isChart) throws IOException {
        this.root = root;
        this.real = root.toRealPath();
        this.isChart = isChart;
    }

    /// A chart, as a folder or an archive. A link in it is what it leads to, as in Helm, as long as that is in the
    /// chart
    /// as well; any other is refused by its name, unless `.helmignore` leaves it out.
    public static Map<String, byte[]> read(Path place) throws IOException {
        if (Files.isDirectory(place)) {
            return new ChartFiles(place, true).folder();
        }
        if (Files.size(place) > MAX_ARCHIVE) {
            throw new HelmError(place + " is larger than the " + MAX_ARCHIVE + " bytes that an archive may have");
        }
        return ChartArchive.unpack(Files.readAllBytes(place));
    }

    /// A repository, of which charts and kustomizations are parts. Links count as long as they stay in it; others are
    /// left
    /// out.
    public static Map<String, byte[]> repository(Path root) throws IOException {
        return new ChartFiles(root, false).folder();
    }

    private Map<String, byte[]> folder() throws IOException {
        visit(root, "");
        if (isChart && !refused.isEmpty()) {
            var ignored = HelmIgnore.of(files.get(".helmignore"));
            refused.forEach((path, why) -> {
                if (!ignored.ignores(path)) {
                    throw new HelmError(path + " is a link " + why);
                }
            });
        }
        return files;
    }

    private void visit(Path folder, String prefix) throws IOException {
        if (open.size() >= MAX_DEPTH) {
            throw new HelmError(root + " has folders that are more than " + MAX_DEPTH + " deep");
        }
        open.push(folder.toRealPath());
        for (var entry : entries(folder)) {
            var path = prefix + entry.getFileName();
            if (path.equals(".git")) {
                continue;
            }
            if (Files.isSymbolicLink(entry) && !isFollowed(entry, path)) {
                continue;
            }
            if (Files.isDirectory(entry)) {
                visit(entry, path + "/");
            } else if (Files.isRegularFile(entry)) {
                add(entry, path);
            }
        }
        open.pop();
    }

    private static List<Path> entries(Path folder) throws IOException {
        var found = new ArrayList<Path>();
        try (var entries = Files.newDirectoryStream(folder)) {
            entries.forEach(found::add);
        }
        found.sort(null);
        return found;
    }

    private boolean isFollowed(Path link, String path) throws IOException {
        Path target;
        try {
            target = link.toRealPath();
        } catch (FileSystemException e) {
            refused.put(path, "to " + Files.readSymbolicLink(link) + ", where nothing is");
            return false;
        }
        if (!target.startsWith(real)) {
            refused.put(
                    path,
                    "to " + Files.readSymbolicLink(link)
                            + ", which is outside of the chart and not read; copy it into the chart");
            return false;
        }
        if (open.contains(target)) {
            refused.put(path, "to a folder that it is in: cycle detected, a chart cannot contain itself");
            return false;
        }
        return true;
    }

    private void add(Path file, String path) throws IOException {
        bytes += Files.size(file);
        if (bytes > MAX_BYTES || files.size() >= MAX_FILES) {
            throw new HelmError(root + " has more than " + MAX_FILES + " files or " + MAX_BYTES + " bytes in it");
        }
        files.put(path, Files.readAllBytes(file));
    }
}
