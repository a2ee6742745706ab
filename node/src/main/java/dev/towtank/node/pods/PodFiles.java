package dev.towtank.node.pods;

import dev.towtank.node.volumes.Directories;
import dev.towtank.node.volumes.FileModes;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// What there is of a pod besides its volumes. Each run of a container has a directory for what it needs while it runs
/// and, once it has said something, one for its log; both are named by container and number.
final class PodFiles {

    private static final String HOSTS = "etc.hosts";
    private static final Pattern RUN = Pattern.compile("([a-z0-9-]+)\\.([0-9]+)");

    private PodFiles() {}

    private record Run(String container, int attempt) {
        static Optional<Run> named(Path directory) {
            var name = RUN.matcher(directory.getFileName().toString());
            return name.matches()
                    ? Optional.of(new Run(name.group(1), Integer.parseInt(name.group(2))))
                    : Optional.empty();
        }
    }

    static Path runtime(NodeParts parts, String podUid, String container, int attempt) {
        return parts.runtime(podUid).resolve(container + "." + attempt);
    }

    static Path log(NodeParts parts, String podUid, String container, int attempt) {
        return parts.volumes().of(podUid).resolve(container + "." + attempt);
    }

    static Path terminationMessage(NodeParts parts, String podUid, String container, int attempt) {
        return parts.runtime(podUid).resolve(container + "." + attempt + ".message");
    }

    /// Whoever a container becomes has something to say.
    static void makeForAnybody(Path file) throws IOException {
        try {
            Files.createFile(file);
            FileModes.set(file, 0666);
        } catch (FileAlreadyExistsException e) {
            // of an earlier server: its container may have written it
        }
    }

    static Path hosts(NodeParts parts, String podUid) {
        return parts.runtime(podUid).resolve(HOSTS);
    }

    static Path network(NodeParts parts, String podUid) {
        return parts.runtime(podUid).resolve("network");
    }

    /// Which of its files outside of volumes is larger, as its containers call it.
    static Optional<String> larger(NodeParts parts, String podUid, long bytes) {
        try (var files = Files.newDirectoryStream(parts.runtime(podUid), "*.{hosts,message}")) {
            for (var file : files) {
                if (Files.size(file) > bytes) {
                    return Optional.of(file.endsWith(HOSTS) ? "/etc/hosts" : "the termination message");
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // they are being deleted
        }
        return Optional.empty();
    }

    /// The numbers of the runs of a container that are not forgotten, in their order.
    static List<Integer> attempts(NodeParts parts, String podUid, String container) throws IOException {
        return runs(parts, podUid).stream()
                .filter(run -> run.container.equals(container))
                .map(Run::attempt)
                .sorted()
                .toList();
    }

    private static List<Run> runs(NodeParts parts, String podUid) throws IOException {
        var runs = new ArrayList<Run>();
        try (var entries = Files.newDirectoryStream(parts.runtime(podUid))) {
            entries.forEach(entry -> Run.named(entry).ifPresent(runs::add));
        } catch (NoSuchFileException | NotDirectoryException e) {
            // nothing of it was ever started
        }
        return runs;
    }

    static boolean isThere(NodeParts parts, String podUid) {
        return Files.isDirectory(parts.runtime(podUid))
                || Files.isDirectory(parts.volumes().of(podUid));
    }

    /// The pods that there are files of.
    static List<String> pods(NodeParts parts) throws IOException {
        var roots = new ArrayList<>(List.of(parts.volumes().pods()));
        parts.volumes().memory().ifPresent(roots::add);
        var uids = new ArrayList<String>();
        for (var root : roots) {
            if (Files.isDirectory(root)) {
                try (var entries = Files.newDirectoryStream(root)) {
                    entries.forEach(entry -> uids.add(entry.getFileName().toString()));
                }
            }
        }
        return uids.stream().distinct().toList();
    }

    /// Ends what still runs of a pod and keeps no more of it than its logs.
    static void forget(NodeParts parts, String podUid) throws IOException {
        for (var run : runs(parts, podUid)) {
            forget(parts, podUid, run.container, run.attempt);
        }
        Directories.deleteAll(parts.runtime(podUid));
    }

    private static void forget(NodeParts parts, String podUid, String container, int attempt) throws IOException {
        parts.sandbox().remove(ContainerRun.id(podUid, container, attempt), runtime(parts, podUid, container, attempt));
    }

    /// Takes away one run with its log.
    static void remove(NodeParts parts, String podUid, String container, int attempt) throws IOException {
        forget(parts, podUid, container, attempt);
        Files.deleteIfExists(terminationMessage(parts, podUid, container, attempt));
        Directories.deleteAll(log(parts, podUid, container, attempt));
    }

    /// Ends and deletes everything of a pod.
    static void remove(NodeParts parts, String podUid) throws IOException {
        forget(parts, podUid);
        Directories.deleteAll(parts.volumes().of(podUid));
    }
}
