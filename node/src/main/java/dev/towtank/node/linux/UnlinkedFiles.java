package dev.towtank.node.linux;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What the processes of a container hold of a directory that has no name in it any more: open files, and those that
/// are mapped into memory. The disk has them until the last of these processes lets go.
public final class UnlinkedFiles {

    private static final Path PROCESSES = Path.of("/proc");
    private static final String DELETED = " (deleted)"; // as the kernel says it
    private static final Pattern MOUNT_OF_FILE = Pattern.compile("(?m)^mnt_id:\\s*(\\d+)$");
    private static final List<String> IN_MEMORY = List.of("/memfd:", "/SYSV", "/dev/zero", "/[", "/anon_hugepage");
    private static final int NAMED_PARTS = 3;
    private static final int MOST_FILES = 100_000;

    private final String place;
    private final Map<Object, Long> sizes = new HashMap<>();

    private UnlinkedFiles(Path directory) {
        int parts = directory.getNameCount();
        this.place = "/" + directory.subpath(Math.max(0, parts - NAMED_PARTS), parts) + "/";
    }

    /// @param firsts the first processes of containers: all in their pid namespaces are looked at
    /// @param directories whose last three names are nobody else's; mounted as a whole or in part
    public static long bytes(List<Integer> firsts, Iterable<Path> directories) {
        var namespaces = new HashSet<Path>();
        firsts.forEach(first -> link(first, "ns/pid").ifPresent(namespaces::add));
        // Where containers have none of their own, these are all processes of the machine.
        link((int) ProcessHandle.current().pid(), "ns/pid").ifPresent(namespaces::remove);
        if (namespaces.isEmpty()) {
            return 0;
        }
        var processes = processes(namespaces);
        long bytes = 0;
        for (var directory : directories) {
            var files = new UnlinkedFiles(directory.toAbsolutePath());
            processes.forEach(files::count);
            bytes += files.sizes.values().stream().mapToLong(Long::longValue).sum();
        }
        return bytes;
    }

    private static Optional<Path> link(int process, String name) {
        try {
            return Optional.of(Files.readSymbolicLink(Path.of("/proc/" + process + "/" + name)));
        } catch (IOException e) {
            return Optional.empty(); // it has ended
        }
    }

    private static List<Integer> processes(Set<Path> namespaces) {
        var found = new ArrayList<Integer>();
        try (var all = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (var each : all) {
                int process = Integer.parseInt(each.getFileName().toString());
                if (link(process, "ns/pid").filter(namespaces::contains).isPresent()) {
                    found.add(process);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // no processes to be seen, none to be counted
        }
        return found;
    }

    /// By its threads: one may have open files of its own, and a process whose first has ended says nothing of itself.
    /// Memory and mounts they share.
    private void count(int process) {
        boolean mapsUnread = true;
        for (var thread : threads(process)) {
            try {
                var all = mounts(thread);
                var ours = all.stream()
                        .filter(mount -> (mount.root + "/").contains(place))
                        .toList();
                if (ours.isEmpty()) {
                    return;
                }
                countOpen(thread, ours);
                if (mapsUnread) {
                    countMapped(thread, ours, all);
                    mapsUnread = false;
                }
            } catch (IOException | DirectoryIteratorException e) {
                // it has ended meanwhile: the others tell, or the next look
            }
        }
    }

    private static List<Path> threads(int process) {
        var found = new ArrayList<Path>();
        try (var all = Files.newDirectoryStream(
                PROCESSES.resolve(Integer.toString(process)).resolve("task"))) {
            all.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            // it has ended
        }
        return found;
    }

    /// @param device in the form that memory maps have
    /// @param root what of the file system is to be seen
    /// @param point where
    private record Mount(String number, String device, String root, String point) {

        boolean holds(String file) {
            return file.startsWith(point.equals("/") ? point : point + "/");
        }
    }

    private static List<Mount> mounts(Path home) throws IOException {
        var mounts = new ArrayList<Mount>();
        for (var line : Files.readAllLines(home.resolve("mountinfo"))) {
            var fields = line.split(" ", 6);
            if (fields.length == 6) {
                mounts.add(new Mount(fields[0], device(fields[2]), fields[3], fields[4]));
            }
        }
        return mounts;
    }

    private static String device(String numbers) {
        var parts = numbers.split(":", 2);
        return "%02x:%02x".formatted(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    private void countOpen(Path home, List<Mount> mounts) throws IOException {
        try (var files = Files.newDirectoryStream(home.resolve("fd"))) {
            for (var file : files) {
                if (sizes.size() >= MOST_FILES
                        || !Files.readSymbolicLink(file).toString().endsWith(DELETED)) {
                    continue;
                }
                var mount = MOUNT_OF_FILE.matcher(
                        Files.readString(home.resolve("fdinfo").resolve(file.getFileName())));
                if (mount.find() && mounts.stream().anyMatch(it -> it.number.equals(mount.group(1)))) {
                    var facts = Files.readAttributes(file, "unix:ino,nlink");
                    if (Integer.valueOf(0).equals(facts.get("nlink"))) {
                        sizes.merge(String.valueOf(facts.get("ino")), DiskUsage.bytes(file), Math::max);
                    }
                }
            }
        } catch (AccessDeniedException e) { // it has become another user of its container
            countOpenOfOthers(home, mounts);
        }
    }

    private void countOpenOfOthers(Path home, List<Mount> mounts) throws IOException {
        for (var file : OthersFiles.nameless(home)) {
            var mount = MOUNT_OF_FILE.matcher(file.about());
            if (sizes.size() < MOST_FILES
                    && mount.find()
                    && mounts.stream().anyMatch(it -> it.number.equals(mount.group(1)))) {
                sizes.merge(Long.toString(file.inode()), file.bytes(), Math::max);
            }
        }
    }

    /// Who closes a file may still have it mapped.
    private void countMapped(Path home, List<Mount> ours, List<Mount> all) throws IOException {
        for (var line : Files.readAllLines(home.resolve("maps"))) {
            var fields = line.split("\\s+", 6);
            if (fields.length == 6 && fields[5].endsWith(DELETED) && isIn(ours, all, fields[5], fields[3])) {
                var range = fields[0].split("-", 2);
                long end = Long.parseUnsignedLong(fields[2], 16)
                        + Long.parseUnsignedLong(range[1], 16)
                        - Long.parseUnsignedLong(range[0], 16);
                sizes.merge(fields[4], end, Math::max);
            }
        }
    }

    /// Files in memory alone have names as if they were at the top.
    private static boolean isIn(List<Mount> ours, List<Mount> all, String file, String device) {
        int innermost = all.stream()
                .filter(mount -> mount.holds(file))
                .mapToInt(mount -> mount.point.length())
                .max()
                .orElse(0);
        return ours.stream()
                .filter(mount -> mount.holds(file) && mount.point.length() == innermost)
                .anyMatch(mount ->
                        mount.device.equals(device) || IN_MEMORY.stream().noneMatch(file::startsWith));
    }
}
