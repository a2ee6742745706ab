package dev.towtank.node.sandbox.machine;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.SocketScope;
import dev.towtank.node.linux.Spawn;
import dev.towtank.node.network.PodNetworks;
import java.io.IOException;
import java.lang.foreign.Linker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Whether containers can be fenced in on this machine, and what is missing.
public record SandboxCheck(List<Finding> findings) {

    /// @param needed nothing works without it
    /// @param reason what was found
    /// @param fix what to do; empty when all is well
    public record Finding(String name, boolean ok, boolean needed, String reason, String fix) {}

    public SandboxCheck {
        findings = List.copyOf(findings);
    }

    private static final String OVERLAYS = "overlays";

    /// Where nothing is known of a server's data.
    public static SandboxCheck run() {
        return run(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /// @param place a directory on the disk that images are on, which may be written to
    public static SandboxCheck run(Path place) {
        var findings = new ArrayList<Finding>();
        findings.add(library());
        findings.add(program("bwrap", "bubblewrap", true));
        findings.add(program("nsenter", "util-linux", true));
        findings.add(program("setpriv", "util-linux", true));
        findings.add(program("bash", "bash", true));
        findings.add(program("busybox", "busybox", false));
        if (findings.stream().allMatch(it -> it.ok() || !it.needed())) {
            findings.add(namespaces());
            var networks = networks();
            findings.add(networks);
            if (networks.ok()) {
                findings.add(ipv6());
            }
            findings.add(sockets());
            findings.add(overlays(place));
        }
        return new SandboxCheck(findings);
    }

    public boolean usable() {
        return findings.stream().allMatch(finding -> finding.ok() || !finding.needed());
    }

    /// Why the layers of an image cannot be put over each other.
    public Optional<String> overlayProblem() {
        return findings.stream()
                .filter(finding -> finding.name().equals(OVERLAYS) && !finding.ok())
                .map(Finding::reason)
                .findFirst();
    }

    /// Why it cannot be used and what to do, for people.
    public String refusal() {
        return findings.stream()
                .filter(finding -> finding.needed() && !finding.ok())
                .map(finding -> finding.reason() + ". " + finding.fix())
                .collect(Collectors.joining("\n", "Containers cannot be isolated on this machine: ", ""));
    }

    private static Finding library() {
        boolean ok = Linker.nativeLinker()
                .defaultLookup()
                .find("posix_spawn_file_actions_addclosefrom_np")
                .isPresent();
        return ok
                ? new Finding("glibc", true, true, "glibc is new enough", "")
                : new Finding("glibc", false, true, "glibc is older than 2.34", "Use Debian 12 or newer.");
    }

    private static Finding program(String name, String debianPackage, boolean needed) {
        return MachineView.program(name)
                .map(path -> new Finding(name, true, needed, name + " is " + path, ""))
                .orElseGet(() -> new Finding(
                        name,
                        false,
                        needed,
                        "the program " + name + " is missing",
                        "Install it with 'apt-get install " + debianPackage + "'."));
    }

    /// Tries it, because what forbids it may be any of several settings.
    private static Finding namespaces() {
        Optional<String> problem;
        try {
            problem = attempt();
        } catch (IOException e) {
            problem = Optional.of(String.valueOf(e.getMessage()));
        }
        return problem.map(said -> new Finding(
                        "namespaces", false, true, "bubblewrap cannot make a sandbox (it said: " + said + ")", fix()))
                .orElseGet(() -> new Finding("namespaces", true, true, "namespaces may be made", ""));
    }

    private static Finding networks() {
        return PodNetworks.problem()
                .or(PodNetworks::lack)
                .map(why -> new Finding("networks", false, false, why, ""))
                .orElseGet(() -> new Finding("networks", true, false, "pods that listen have their own", ""));
    }

    private static Finding ipv6() {
        return PodNetworks.noIpv6()
                .map(why -> new Finding("ipv6", false, false, why, ""))
                .orElseGet(() -> new Finding("ipv6", true, false, "pods that listen reach the world by it, too", ""));
    }

    private static Finding sockets() {
        return SocketScope.isSupported()
                ? new Finding("sockets", true, false, "unix sockets without files are kept apart", "")
                : new Finding(
                        "sockets",
                        false,
                        false,
                        "pods on the machine's network reach its unix sockets without files",
                        "Use Linux 6.12 or newer, with landlock in /sys/kernel/security/lsm.");
    }

    private static Finding overlays(Path place) {
        return OverlayCheck.problem(place)
                .map(why -> new Finding(
                        OVERLAYS,
                        false,
                        false,
                        why,
                        "Containers on images work, but each gets a copy of its image's files. Use Linux 5.11 or newer,"
                                + " with the module overlay."))
                .orElseGet(() -> new Finding(OVERLAYS, true, false, "layers of images can be put over each other", ""));
    }

    private static Optional<String> attempt() throws IOException {
        var said = Files.createTempFile("towtank-sandbox", ".txt");
        int output = Descriptors.open(said, Descriptors.READ_WRITE, 0);
        try {
            int pid = Spawn.start(new Spawn.Program(
                    MachineView.program("bwrap").orElseThrow(),
                    List.of(
                            "bwrap",
                            "--unshare-user",
                            "--disable-userns",
                            "--unshare-pid",
                            "--unshare-ipc",
                            "--unshare-uts",
                            "--as-pid-1",
                            "--ro-bind",
                            "/",
                            "/",
                            "--proc",
                            "/proc",
                            "--dev",
                            "/dev",
                            "--",
                            "/bin/true"),
                    List.of(),
                    List.of(output, output, output),
                    Optional.empty(),
                    Optional.of(Path.of("/"))));
            int code = Processes.await(pid).orElse(255);
            var text = Files.readString(said).strip();
            return code == 0 ? Optional.empty() : Optional.of(text.isEmpty() ? "exit code " + code : text);
        } finally {
            Descriptors.close(output);
            Files.delete(said);
        }
    }

    private static String fix() {
        if (number("/proc/sys/kernel/unprivileged_userns_clone") == 0) {
            return "Allow user namespaces with 'sudo sysctl -w kernel.unprivileged_userns_clone=1'.";
        }
        if (number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1) {
            return "Allow user namespaces with 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'.";
        }
        if (number("/proc/sys/user/max_user_namespaces") == 0) {
            return "Allow user namespaces with 'sudo sysctl -w user.max_user_namespaces=15000'.";
        }
        return "Inside a container of Docker or Podman, start that one with '--privileged'; otherwise see whether SELinux or"
                + " AppArmor forbids user namespaces. To run pods without any isolation use '--unsafe-host'.";
    }

    private static long number(String file) {
        try {
            return Long.parseLong(Files.readString(Path.of(file)).strip());
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }
}
