package dev.towtank.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.doctor.Finding.State;
import dev.towtank.node.sandbox.machine.SandboxCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
    @TempDir
    Path data;

    private final FakeMachine machine = new FakeMachine();

    private static final class FakeMachine implements ExaminedMachine {
        final Map<String, String> answers = new HashMap<>();
        final Map<String, String> files = new HashMap<>();
        final Set<String> writable = new HashSet<>();
        final Set<String> silent = new HashSet<>();
        List<SandboxCheck.Finding> sandbox =
                List.of(new SandboxCheck.Finding("bwrap", true, true, "bwrap is /usr/bin/bwrap", ""));
        boolean root;
        long free = 10L << 30;
        Duration sync = Duration.ofMillis(2);
        boolean portFree = true;

        @Override
        public Optional<Path> program(String name) {
            return answers.containsKey(name) ? Optional.of(Path.of("/usr/bin", name)) : Optional.empty();
        }

        @Override
        public Optional<String> answer(List<String> command) {
            var name = String.valueOf(Path.of(command.getFirst()).getFileName());
            return command.contains("info") && silent.contains(name)
                    ? Optional.empty()
                    : Optional.ofNullable(answers.get(command.contains("-c") ? "modules" : name));
        }

        @Override
        public Optional<String> read(Path file) {
            return Optional.ofNullable(files.get(file.toString()));
        }

        @Override
        public boolean isWritable(Path file) {
            return writable.contains(file.toString());
        }

        @Override
        public boolean isRoot() {
            return root;
        }

        @Override
        public SandboxCheck sandbox(Path place) {
            return new SandboxCheck(sandbox);
        }

        @Override
        public long freeBytes(Path directory) {
            return free;
        }

        @Override
        public Duration sync(Path directory) throws IOException {
            return sync;
        }

        @Override
        public boolean isPortFree(int port) {
            return portFree;
        }
    }

    @BeforeEach
    void aGoodMachine() {
        machine.writable.addAll(Set.of(data.toString(), "/sys/fs/cgroup/cgroup.subtree_control"));
        machine.files.put("/sys/fs/cgroup/cgroup.controllers", "cpu memory pids");
        machine.files.put("/proc/self/cgroup", "0::/user.slice");
        machine.answers.putAll(Map.of(
                "apt-get", "",
                "kubectl", "Client Version: v1.35.1",
                "git", "git version 2.39.5",
                "shellcheck", "ShellCheck - shell script analysis tool",
                "podman", "podman version 4.3.1",
                "python3", "Python 3.11.2",
                "modules", "numpy sklearn nbformat nbconvert ipykernel"));
    }

    private Diagnosis examine() {
        return new Doctor(machine, new Doctor.Place(data.resolve("not/made/yet"), 6443, false, "towtank")).examine();
    }

    private static Finding named(Diagnosis diagnosis, String name) {
        return diagnosis.findings().stream()
                .filter(finding -> finding.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not in " + diagnosis.findings()));
    }

    @Test
    void aMachineWithEverythingIsHealthy() {
        var diagnosis = examine();

        assertThat(diagnosis.findings()).allMatch(finding -> finding.state() == State.OK);
        assertThat(diagnosis.healthy()).isTrue();
        assertThat(diagnosis.install()).isEmpty();
        assertThat(named(diagnosis, "kubectl").detail()).isEqualTo("1.35.1, /usr/bin/kubectl");
        assertThat(diagnosis.text(false, Integer.MAX_VALUE))
                .contains(
                        "  ✓ bwrap        /usr/bin/bwrap\n",
                        "  ✓ podman       4.3.1, /usr/bin/podman answers: '--runtime podman' of up and run uses it\n")
                .endsWith("\n\nAll that is needed is there.\n");
    }

    @Test
    void anEngineIsAskedAndNotOnlyLookedFor() {
        machine.silent.add("podman");
        assertThat(named(examine(), "podman").detail())
                .isEqualTo("/usr/bin/podman is there, but its service does not answer; none is needed");
        machine.answers.put("docker", "Docker version 27.1");
        assertThat(named(examine(), "docker").detail())
                .isEqualTo("27.1, /usr/bin/docker answers: '--runtime docker' of up and run uses it");
    }

    @Test
    void withoutASandboxItIsNotAndSaysWhatToInstall() {
        machine.sandbox = List.of(
                new SandboxCheck.Finding("bwrap", false, true, "the program bwrap is missing", "Install it"),
                new SandboxCheck.Finding("busybox", false, false, "the program busybox is missing", "Install it"));

        var diagnosis = examine();

        assertThat(diagnosis.healthy()).isFalse();
        assertThat(diagnosis.install()).isEqualTo("sudo apt-get install -y --no-install-recommends bubblewrap busybox");
        assertThat(diagnosis.text(false, Integer.MAX_VALUE))
                .contains("  ✗ bwrap        the program bwrap is missing\n")
                .endsWith("""
                    Pods cannot run on this machine: one thing is missing (✗). One more thing is of use, but not needed (–).
                    This adds what comes in packages:
                      sudo apt-get install -y --no-install-recommends bubblewrap busybox
                    """);
    }

    @Test
    void forbiddenNamespacesComeWithTheSettingThatAllowsThem() {
        machine.sandbox = List.of(new SandboxCheck.Finding(
                "namespaces",
                false,
                true,
                "bubblewrap cannot make a sandbox",
                "sudo sysctl -w user.max_user_namespaces=15000"));

        assertThat(examine().text(false, Integer.MAX_VALUE))
                .contains("\n                 sudo sysctl -w user.max_user_namespaces=15000\n");
    }

    @Test
    void longLinesGoOnBesideTheNames() {
        machine.sandbox = List.of(new SandboxCheck.Finding(
                "networks", false, false, "pods do not reach the world: this user may not open /dev/net/tun", ""));

        assertThat(examine().text(false, 50)).contains("""
                  – networks     pods do not reach the world: this
                                 user may not open /dev/net/tun
                """);
    }

    @Test
    void rootNeedsNoSudo() {
        machine.root = true;
        machine.answers.remove("shellcheck");

        var diagnosis = examine();

        assertThat(diagnosis.healthy()).isTrue();
        assertThat(diagnosis.install()).isEqualTo("apt-get install -y --no-install-recommends shellcheck");
    }

    @Test
    void cgroupsMayBelongToSomebodyElse() {
        machine.writable.remove("/sys/fs/cgroup/cgroup.subtree_control");
        assertThat(named(examine(), "cgroups").detail())
                .isEqualTo("version 2, but not ours to write to: limits on memory and CPU are not kept");
        assertThat(named(examine(), "cgroups").fix())
                .isEqualTo("systemd-run --user --scope -p Delegate=yes towtank up");

        machine.writable.add("/sys/fs/cgroup/user.slice/cgroup.subtree_control");
        assertThat(named(examine(), "cgroups").detail()).isEqualTo("version 2, ours to write to");

        machine.files.remove("/sys/fs/cgroup/cgroup.controllers");
        machine.files.put("/proc/self/cgroup", "3:cpu,cpuacct:/a\n2:memory:/b\n1:pids:/c\n0::/d");
        machine.writable.addAll(Set.of("/sys/fs/cgroup/cpu/a", "/sys/fs/cgroup/memory/b"));
        assertThat(named(examine(), "cgroups").state()).isEqualTo(State.ABSENT);

        machine.writable.add("/sys/fs/cgroup/pids/c");
        assertThat(named(examine(), "cgroups").detail()).isEqualTo("version 1, ours to write to");
    }

    @Test
    void theDataNeedAPlace() {
        machine.free = 50L << 20;
        machine.sync = Duration.ofMillis(80);
        machine.portFree = false;

        var diagnosis = examine();

        assertThat(diagnosis.healthy()).isFalse();
        assertThat(named(diagnosis, "space").detail()).isEqualTo("50 MiB free");
        assertThat(named(diagnosis, "disk").detail()).startsWith("80.0 ms until a write is on disk");
        assertThat(named(diagnosis, "port 6443").fix()).isEqualTo("towtank up --port 0");

        machine.writable.remove(data.toString());
        assertThat(named(examine(), "directory").state()).isEqualTo(State.MISSING);
    }

    @Test
    void aMissingModuleIsNamedWithItsPackage() {
        machine.answers.put("modules", "numpy");
        assertThat(named(examine(), "sklearn").debianPackage()).isEqualTo("python3-sklearn");
        assertThat(named(examine(), "numpy").state()).isEqualTo(State.OK);
    }

    @Test
    void programsCanReadIt() {
        machine.answers.remove("git");

        var json = examine().json();

        assertThat(json.flag("healthy")).isTrue();
        assertThat(json.objects("findings"))
                .anySatisfy(finding -> assertThat(finding.toString()).isEqualTo("""
                    {"group":"Tools","name":"git","state":"absent","detail":"not there: tasks that clone do not work",\
                    "package":"git","fix":"sudo apt-get install -y --no-install-recommends git"}\
                    """));
    }

    @Test
    void theRealMachineAnswers() throws Exception {
        var real = new RealMachine(System.getenv());

        assertThat(real.program("sh")).isPresent();
        assertThat(real.program("no-such-program")).isEmpty();
        assertThat(real.answer(List.of("sh", "-c", "echo one; echo two"))).contains("one");
        assertThat(real.answer(List.of("sh", "-c", "exit 1"))).isEmpty();
        assertThat(real.answer(List.of("no-such-program"))).isEmpty();
        assertThat(real.sync(data)).isPositive();
        assertThat(real.freeBytes(data)).isPositive();
        assertThat(data).isEmptyDirectory();
    }
}
