package dev.towtank.app.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

/// Looks at everything, side by side, since most of it is waiting for other programs.
public final class Doctor {
    private static final String JAVA = "Java";
    private static final String PODS = "Pods";
    private static final String DATA = "Data";

    private static final long LITTLE_SPACE = 1L << 30;
    private static final long TOO_LITTLE_SPACE = 100L << 20;
    private static final Duration SLOW_SYNC = Duration.ofMillis(50);

    private static final List<String> CONTROLLERS = List.of("pids", "memory", "cpu");

    /// Which package brings what the sandbox needs.
    static final Map<String, String> SANDBOX_PACKAGES = Map.of(
            "bwrap", "bubblewrap",
            "nsenter", "util-linux",
            "setpriv", "util-linux",
            "bash", "bash",
            "busybox", "busybox");

    /// Where the server lives, or would.
    ///
    /// @param own a server of ours has the port
    /// @param program what a user types to start it
    public record Place(Path data, int port, boolean own, String program) {}

    private final ExaminedMachine machine;
    private final Place place;

    Doctor(ExaminedMachine machine, Place place) {
        this.machine = machine;
        this.place = place;
    }

    public static Diagnosis examine(Map<String, String> environment, Place place) {
        return new Doctor(new RealMachine(environment), place).examine();
    }

    Diagnosis examine() {
        List<Callable<List<Finding>>> checks =
                List.of(this::java, this::sandbox, this::cgroups, this::data, this::port, new Tools(machine)::findings);
        var findings = new ArrayList<Finding>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var check : threads.invokeAll(checks)) {
                findings.addAll(result(check));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Diagnosis(
                findings, machine.isRoot(), machine.program("apt-get").isPresent());
    }

    private static List<Finding> result(Future<List<Finding>> check) throws InterruptedException {
        try {
            return check.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /// This very program runs on it, so it is there; what builds the program may not be, and need not where it was
    /// built
    /// elsewhere and came together with its Java.
    private List<Finding> java() {
        var home = Path.of(System.getProperty("java.home"));
        var version = Runtime.version().toString() + " in " + home;
        if (Files.exists(home.resolveSibling("lib/launch.bash"))) {
            return List.of(Finding.ok(JAVA, "Java", version));
        }
        return List.of(
                Files.isExecutable(home.resolve("bin/javac"))
                        ? Finding.ok(JAVA, "JDK", version)
                        : Finding.absent(JAVA, "JDK", version + ", without javac: Towtank cannot build itself", "")
                                .from("openjdk-25-jdk-headless"));
    }

    private List<Finding> sandbox() {
        return machine.sandbox(nearest(place.data())).findings().stream()
                .map(finding -> {
                    if (finding.ok()) {
                        var detail = finding.reason().replaceFirst("^" + Pattern.quote(finding.name()) + " (is )?", "");
                        return Finding.ok(PODS, finding.name(), detail);
                    }
                    var found = finding.needed()
                            ? Finding.missing(PODS, finding.name(), finding.reason(), finding.fix())
                            : Finding.absent(PODS, finding.name(), finding.reason(), finding.fix());
                    return found.from(SANDBOX_PACKAGES.getOrDefault(finding.name(), ""));
                })
                .toList();
    }

    /// What the sandbox tries, without making any.
    private List<Finding> cgroups() {
        var root = Path.of("/sys/fs/cgroup");
        boolean unified = machine.read(root.resolve("cgroup.controllers")).isPresent();
        boolean ours = unified
                ? machine.isWritable(root.resolve("cgroup.subtree_control")) || ownGroupIsOurs(root)
                : CONTROLLERS.stream().allMatch(controller -> isOurs(root, controller));
        var version = "version " + (unified ? 2 : 1);
        return List.of(
                ours
                        ? Finding.ok(PODS, "cgroups", version + ", ours to write to")
                        : Finding.absent(
                                PODS,
                                "cgroups",
                                version + ", but not ours to write to: limits on memory and CPU are not kept",
                                unified
                                        ? "systemd-run --user --scope -p Delegate=yes " + place.program() + " up"
                                        : "Run the server as root, in a container if need be, to have them kept."));
    }

    /// The server would be in the same one, if it is started from the same place.
    private boolean ownGroupIsOurs(Path root) {
        return machine.read(Path.of("/proc/self/cgroup"))
                .orElse("")
                .lines()
                .filter(line -> line.startsWith("0::/"))
                .anyMatch(line -> machine.isWritable(
                        root.resolve(line.substring("0::/".length())).resolve("cgroup.subtree_control")));
    }

    private boolean isOurs(Path root, String controller) {
        return machine.read(Path.of("/proc/self/cgroup"))
                .orElse("")
                .lines()
                .map(line -> line.split(":", 3))
                .filter(parts ->
                        parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller))
                .anyMatch(parts -> machine.isWritable(root.resolve(controller).resolve(parts[2].substring(1))));
    }

    private List<Finding> data() {
        var there = nearest(place.data());
        var findings = new ArrayList<Finding>();
        try {
            if (!machine.isWritable(there)) {
                return List.of(Finding.missing(
                        DATA, "directory", there + " is not ours to write to", "Choose another one with --data DIR."));
            }
            findings.add(Finding.ok(DATA, "directory", place.data().toString()));
            long free = machine.freeBytes(there);
            var space = free / (1 << 20) + " MiB free";
            if (free < TOO_LITTLE_SPACE) {
                findings.add(Finding.missing(
                        DATA, "space", space, "Remove something, or choose a directory with --data DIR."));
            } else {
                findings.add(
                        free < LITTLE_SPACE
                                ? Finding.absent(
                                        DATA, "space", space + ", which is little", "Remove something before long.")
                                : Finding.ok(DATA, "space", (free >> 30) + " GiB free"));
            }
            var sync = machine.sync(there);
            var speed = "%.1f ms until a write is on disk".formatted(sync.toNanos() / 1e6);
            findings.add(
                    sync.compareTo(SLOW_SYNC) > 0
                            ? Finding.absent(
                                    DATA,
                                    "disk",
                                    speed + ", so every write is slow",
                                    "Use a local SSD with --data DIR.")
                            : Finding.ok(DATA, "disk", speed));
        } catch (IOException e) {
            findings.add(Finding.missing(
                    DATA,
                    "disk",
                    "cannot write to " + there + ": " + e.getMessage(),
                    "Choose another one with --data DIR."));
        }
        return findings;
    }

    private static Path nearest(Path directory) {
        var there = directory;
        while (!Files.isDirectory(there)) {
            var parent = there.getParent();
            if (parent == null) {
                return Path.of("/");
            }
            there = parent;
        }
        return there;
    }

    private List<Finding> port() {
        var name = "port " + place.port();
        if (place.own()) {
            return List.of(Finding.ok(DATA, name, "our own server is there"));
        }
        return List.of(
                machine.isPortFree(place.port())
                        ? Finding.ok(DATA, name, "free")
                        : Finding.absent(DATA, name, "another program has it", place.program() + " up --port 0"));
    }
}
