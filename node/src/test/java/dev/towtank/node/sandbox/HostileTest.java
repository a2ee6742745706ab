package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.node.images.Image;
import dev.towtank.node.linux.DiskUsage;
import dev.towtank.node.linux.Signal;
import dev.towtank.node.linux.SystemCallFilter;
import dev.towtank.node.linux.UnlinkedFiles;
import dev.towtank.node.logs.ContainerLog;
import dev.towtank.node.logs.LogWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Containers that cannot start, or do what they should not.
class HostileTest {

    private static final LogWriter.Bounds SMALL = new LogWriter.Bounds(200_000, 3);

    @TempDir
    Path home;

    private Sandbox sandbox;
    private List<ProcessHandle> earlier = List.of();

    @BeforeEach
    void open() throws IOException {
        earlier = ProcessHandle.current().descendants().toList();
        sandbox = Sandboxes.bubblewrap(Shared.in(home), Shared.in(home), SMALL, InstantSource.system());
    }

    @AfterEach
    void close() throws IOException {
        sandbox.close();
        Shared.leave(home);
    }

    private Recipe recipe() {
        return new Recipe("c1", home);
    }

    private Path script(String text, String mode) throws IOException {
        var file = Files.writeString(home.resolve("script"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private Exit.NotStarted refused(Recipe recipe) throws Exception {
        var process = sandbox.start(recipe.spec());
        var exit = process.await();
        assertThat(exit).isInstanceOf(Exit.NotStarted.class);
        assertThat(exit.code()).isEqualTo(128);
        assertThat(Logs.all(process)).isEmpty();
        return (Exit.NotStarted) exit;
    }

    @Test
    void aMissingCommandIsNamed() throws Exception {
        var exit = refused(recipe().command("nope", "x"));

        assertThat(exit.shellCode()).isEqualTo(127);
        assertThat(exit.reason()).isEqualTo("StartError");
        assertThat(exit.message())
                .isEqualTo(
                        "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc"
                                + " create failed: unable to start container process: error during container init: exec: \"nope\":"
                                + " executable file not found in $PATH: unknown");
    }

    @Test
    void aMissingFileIsNamed() throws Exception {
        assertThat(refused(recipe().command("/no/such")).problem())
                .isEqualTo("exec: \"/no/such\": stat /no/such: no such file or directory");
    }

    @Test
    void aFileThatIsNotExecutableIsRefused() throws Exception {
        var exit = refused(
                recipe().mount(script("#!/bin/sh\n", "rw-r--r--"), "/s", true).command("/s"));

        assertThat(exit.problem()).isEqualTo("exec: \"/s\": permission denied");
        assertThat(exit.shellCode()).isEqualTo(126);
    }

    @Test
    void aMissingInterpreterIsNamed() throws Exception {
        assertThat(refused(recipe().mount(script("#!/no/sh -e\n", "rwxr-xr-x"), "/s", true)
                                .command("/s"))
                        .problem())
                .isEqualTo("exec /s: no such file or directory (it is there, but its interpreter /no/sh is not)");
    }

    @Test
    void aVolumeThatIsNotThereIsNamed() throws Exception {
        assertThat(refused(recipe().mount(home.resolve("absent"), "/v", false)).problem())
                .contains("Can't find source path " + home.resolve("absent"));
    }

    @Test
    void aForkBombMeetsItsLimit() throws Exception {
        var bomb = sandbox.start(recipe().processes(40)
                .script("i=0; while [ $i -lt 200 ]; do sleep 100 & i=$((i+1)); done; echo survived")
                .spec());

        bomb.await();

        assertThat(Logs.all(bomb)).contains("fork").doesNotContain("survived");
        assertThat(sandbox.abilities().processes()).isNotEqualTo(Abilities.LimitsBy.NOBODY);
    }

    @Test
    void aCommandWhoseChildUsesTooMuchMemoryEndsForThat() throws Exception {
        var process = sandbox.start(recipe().memory(64 << 20)
                .script("/usr/bin/perl -e '$x = \"a\" x 300000000; sleep 9'; exit 3")
                .spec());

        var exit = process.await();

        assertThat(exit)
                .isInstanceOfSatisfying(
                        Exit.Ended.class,
                        it -> assertThat(it.outOfMemory())
                                .isEqualTo(sandbox.abilities().memory() == Abilities.LimitsBy.CGROUP));
        assertThat(exit.code()).isNotZero();
    }

    @Test
    void whatUsesTooMuchMemoryIsKilledOrRefused() throws Exception {
        var process = sandbox.start(recipe().memory(64 << 20)
                .command("/usr/bin/perl", "-e", "$x = 'a' x 300000000; sleep 9")
                .spec());

        var exit = process.await();

        if (sandbox.abilities().memory() == Abilities.LimitsBy.CGROUP) {
            assertThat(exit)
                    .isInstanceOfSatisfying(
                            Exit.Ended.class, it -> assertThat(it.outOfMemory()).isTrue());
            assertThat(exit.code()).isEqualTo(137);
        } else {
            assertThat(exit.code()).isNotZero();
            assertThat(Logs.all(process)).contains("memory");
        }
    }

    @Test
    void endlessOutputFillsNoDisk() throws Exception {
        var process = sandbox.start(recipe().script("head -c 20000000 /dev/zero | tr '\\0' 'y' | fold -w 99")
                .spec());

        assertThat(process.await().code()).isZero();

        try (var files = Files.walk(recipe().spec().log())) {
            assertThat(files.filter(Files::isRegularFile)
                            .mapToLong(file -> file.toFile().length())
                            .sum())
                    .isLessThan(3_000_000);
        }
        assertThat(Logs.all(process)).endsWith("yyy");
    }

    @Test
    void oneEndlessLineIsKeptInParts() throws Exception {
        var process = sandbox.start(recipe().script("head -c 400000 /dev/zero | tr '\\0' 'y'; echo; echo end")
                .spec());

        process.await();

        assertThat(Logs.all(process)).hasSize(400_000 + 5).endsWith("y\nend\n");
    }

    @Test
    void binaryOutputIsKeptAsItIs() throws Exception {
        var process = sandbox.start(
                recipe().script("printf '\\000\\377\\r\\n\\n\\001x'").spec());

        process.await();

        try (var in = process.log().read(ContainerLog.Query.all())) {
            assertThat(in.readAllBytes()).containsExactly(0, 0xff, '\r', '\n', '\n', 1, 'x');
        }
    }

    @ParameterizedTest
    @CsvSource({"false, 137", "true, 137"})
    void whatIgnoresItsEndIsKilled(boolean init, int code) throws Exception {
        var recipe = recipe().script("trap '' TERM; echo ready; while :; do sleep 100; done");
        var process = sandbox.start((init ? recipe.init() : recipe).spec());
        try (var in = process.log().read(Logs.following())) {
            Logs.line(in);
        }

        process.signal(Signal.TERM);
        process.kill();

        assertThat(process.await().code()).isEqualTo(code);
    }

    @Test
    void aSignalReachesAHandler() throws Exception {
        var process =
                sandbox.start(recipe().script("trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.05; done")
                        .spec());
        try (var in = process.log().read(Logs.following())) {
            Logs.line(in);
            process.signal(Signal.TERM);
            assertThat(Logs.line(in)).isEqualTo("bye");
        }
        assertThat(process.await().code()).isEqualTo(3);
    }

    @Test
    void underAnInitASignalEndsWhatHasNoHandler() throws Exception {
        var process = sandbox.start(recipe().init().command("/bin/sleep", "100").spec());

        process.signal(Signal.TERM);

        assertThat(process.await().code()).isEqualTo(143);
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void daemonsEndWithTheirContainer(boolean init) throws Exception {
        var recipe =
                recipe().variable("MARK", "towtank-daemon").script("setsid sleep 4711 & exec >/dev/null 2>&1; exit 5");
        var process = sandbox.start((init ? recipe.init() : recipe).spec());

        assertThat(process.await().code()).isEqualTo(5);
        assertThat(ProcessHandle.allProcesses()
                        .filter(it -> it.info().commandLine().orElse("").endsWith("sleep 4711")))
                .isEmpty();
    }

    @Test
    void closedOutputsAreNoEnd() throws Exception {
        var process = sandbox.start(
                recipe().script("echo a; exec >&- 2>&-; sleep 0.1; exit 4").spec());

        assertThat(process.await().code()).isEqualTo(4);
        assertThat(Logs.all(process)).isEqualTo("a\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    echo x > /proc/sys/kernel/core_pattern
                    echo b > /proc/sysrq-trigger
                    mount -t tmpfs x /mnt
                    unshare -Ur mount -t tmpfs x /mnt
                    unshare -m true
                    chroot / true
                    mknod /tmp/sda b 8 0
                    cat /proc/1/../../../etc/shadow
                    kill -9 -1 && ls /proc | grep -q '^[0-9][0-9][0-9][0-9]*$'
                    hostname other
                    cp /usr/bin/id /tmp/id && chmod u+s /tmp/id && test -n "$(find /tmp/id -perm -4000 -exec /tmp/id -u ';' | grep -v '^0$')"
                    cat $HOME/.ssh/id_rsa
                    dd if=/dev/sda count=1
                    ls /sys/kernel
                    """)
    void nothingGetsOut(String attempt) throws Exception {
        var before = Files.readString(Path.of("/proc/sys/kernel/core_pattern"));

        var process = sandbox.start(recipe().script("(" + attempt + ") 2>/dev/null && exit 66; exit 0")
                .spec());

        assertThat(process.await().code()).isNotEqualTo(66);
        assertThat(Files.readString(Path.of("/proc/sys/kernel/core_pattern"))).isEqualTo(before);
    }

    private static String call(String name, String arguments, int error) {
        var architecture = System.getProperty("os.arch").equals("aarch64")
                ? SystemCallFilter.Architecture.ARM
                : SystemCallFilter.Architecture.X86;
        int number = switch (name) {
            case "clone3" -> 435;
            case "listns" -> 470;
            default -> SystemCallFilter.numbers(architecture).get(name);
        };
        return "perl -e 'exit(syscall(%d, %s) == -1 && $! == %d ? 0 : 1)' || echo %s\n"
                .formatted(number, arguments, error, name);
    }

    private static final String CALLS = call("keyctl", "0, -3, 1", 1)
            + call("add_key", "0, 0, 0, 0, 0", 1)
            + call("bpf", "0, 0, 0", 1)
            + call("perf_event_open", "0, 0, -1, -1, 0", 1)
            + call("userfaultfd", "0", 1)
            + call("io_uring_setup", "1, 0", 1)
            + call("syslog", "10, 0, 0", 1)
            + call("open_tree_attr", "-100, 0, 0, 0, 0", 1)
            + call("unshare", "0x10000000", 1)
            + call("listns", "0, 0, 0, 0", 38)
            + call("clone3", "0, 0", 38);

    @Test
    void systemCallsThatNoContainerNeedsAreRefused() throws Exception {
        var process = sandbox.start(
                recipe().script(CALLS + "grep Seccomp: /proc/self/status").spec());

        assertThat(process.await().code()).isZero();
        assertThat(Logs.all(process)).isEqualTo("Seccomp:\t2\n");
    }

    private static final String TELLING = "cat /proc/keys /proc/timer_list /proc/kcore /proc/sched_debug 2>/dev/null "
            + "| wc -w; cat /proc/self/oom_score_adj";

    @Test
    void whatTellsOfTheMachineIsHidden() throws Exception {
        var process = sandbox.start(recipe().script(TELLING).spec());

        process.await();

        assertThat(Logs.all(process)).isEqualTo("0\n1000\n");
    }

    /// Then the machine is out of sight before that is hidden.
    @Test
    void itIsHiddenWhereVolumesNestAsWell() throws Exception {
        var outer = Files.createDirectory(home.resolve("outer"));
        var inner = Files.createDirectory(home.resolve("inner"));
        var process = sandbox.start(recipe().script(TELLING)
                .mount(outer, "/v", false)
                .mount(inner, "/v/inner", false)
                .spec());

        process.await();

        assertThat(Logs.all(process)).isEqualTo("0\n1000\n");
    }

    /// Open, and mapped into memory by who closed it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "exec 5>/v/f; head -c 3000000 /dev/zero >&5; rm /v/f; echo up; sleep 100",
                "perl -e '$| = 1; open F, \"+>\", \"/v/f\"; print F \"x\" x 3000000; seek F, 0, 0; "
                        + "syscall(9, 0, 3000000, 1, 1, fileno F, 0); close F; unlink \"/v/f\"; print \"up\\n\"; sleep 100'"
            })
    void filesWithoutNamesAreCounted(String script) throws Exception {
        var volume = Files.createDirectories(home.resolve("pods/one/volume"));
        var another = Files.createDirectories(home.resolve("pods/one/another"));
        var process = sandbox.start(recipe().mount(volume, "/v", false)
                .mount(another, "/w", false)
                .script(script)
                .spec());
        try (var in = process.log().read(Logs.following())) {
            Logs.line(in);
        }
        var first = List.of(process.number().orElseThrow());

        assertThat(DiskUsage.exceeds(List.of(volume), 1_000_000)).isFalse();
        assertThat(UnlinkedFiles.bytes(first, List.of(volume))).isBetween(3_000_000L, 3_100_000L);
        assertThat(UnlinkedFiles.bytes(first, List.of(another))).isZero();

        process.kill();
        process.await();
        assertThat(UnlinkedFiles.bytes(first, List.of(volume))).isZero();
    }

    @Test
    void whatIsRunLaterIsFilteredAsWell() throws Exception {
        var process = sandbox.start(recipe().script("echo up; sleep 100").spec());
        try (var in = process.log().read(Logs.following())) {
            Logs.line(in);
        }
        var command = new ExecSpec(
                List.of("/bin/sh", "-c", CALLS + "grep Seccomp: /proc/self/status"),
                Map.of("PATH", Image.PATH),
                "",
                false,
                false);
        try (var session = sandbox.exec("c1", command)) {
            assertThat(session.stdout().readAllBytes()).asString().isEqualTo("Seccomp:\t2\n");
        }
        process.kill();
        process.await();
    }

    @Test
    void whoAsksForNoFilterHasNone() throws Exception {
        var process = sandbox.start(
                recipe().unfiltered().script("grep Seccomp: /proc/self/status").spec());

        process.await();

        assertThat(Logs.all(process)).isEqualTo("Seccomp:\t0\n");
    }

    /// Each line is told that succeeds, and none but the first three should: builders hide what we hid once more.
    private static final String OF_BUILDERS = """
            unshare -mp --fork sh -c '
              mount -t tmpfs none /mnt && touch /mnt/x && echo tmpfs
              mount --bind /usr/bin /mnt && echo bind
              mount --bind /dev/null /proc/keys && echo hidden
              mount -t proc none /mnt && echo proc
              mount -t sysfs none /mnt && echo sysfs
              mount -t cgroup2 none /mnt && echo cgroups
              mount -t cgroup -o memory none /mnt && echo cgroups of old
              mount -o remount,rw,bind /usr && touch /usr/evil && echo programs
              mount -o remount,rw,bind /dev && echo devices
              umount /proc/kmsg && echo messages
              umount -l /proc && echo processes
              umount -l /usr && echo what is below
              echo x > /proc/sys/kernel/core_pattern && echo settings
              mknod /mnt/d b 8 0 && echo disk
              hostname evil && echo name
              umount -l / && echo root
              true' 2>/dev/null
            mount -t tmpfs none /mnt 2>/dev/null && echo mounts that are not its own
            umount -l /proc 2>/dev/null && echo mounts that it was given
            unshare -U true 2>/dev/null && echo users
            unshare -n true 2>/dev/null && echo networks
            unshare -C true 2>/dev/null && echo bounds
            nsenter -t 1 -m true 2>/dev/null && echo entered
            chown 12345 /tmp 2>/dev/null && echo owner
            ip link add evil type dummy 2>/dev/null && echo links
            perl -MSocket -e 'exit(socket(S, AF_INET, SOCK_RAW, 1) ? 0 : 1)' && echo raw
            grep -c '^NoNewPrivs:.1$' /proc/self/status
            """;

    @Test
    void whoBuildsImagesHasMountsOfItsOwnAndNothingElse() throws Exception {
        var process = sandbox.start(recipe().building().script(OF_BUILDERS).spec());

        process.await();

        assertThat(Logs.all(process)).isEqualTo("tmpfs\nbind\nhidden\n1\n");
    }

    @Test
    void oneContainerDoesNotSeeAnother() throws Exception {
        var other = sandbox.start(new Recipe("other", home)
                .variable("SECRET", "hidden")
                .script("echo up; sleep 100")
                .spec());
        try (var in = other.log().read(Logs.following())) {
            Logs.line(in);
        }
        var spy = sandbox.start(recipe().script(
                        "set -- /proc/[0-9]*; echo $#; cat /proc/[0-9]*/environ | grep -c hidden; ls " + home + " 2>&1")
                .spec());

        spy.await();

        assertThat(Logs.all(spy)).startsWith("1\n0\nls: cannot access");
        sandbox.remove("other", home.resolve("runs/other"));
    }

    @Test
    @Timeout(120)
    void leavesNothingBehind() throws Exception {
        var spec = recipe().memory(100 << 20).script("sleep 4712 & sleep 4712").spec();
        sandbox.start(spec);

        sandbox.remove(spec.id(), spec.directory());

        assertThat(spec.directory()).doesNotExist();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(home.toString());
        assertThat(ProcessHandle.allProcesses()
                        .filter(it -> it.info().commandLine().orElse("").contains("sleep 4712")))
                .isEmpty();
        sandbox.close();
        var base = "towtank-" + Integer.toHexString(home.resolve("shared").hashCode());
        try (var left = Files.find(Path.of("/sys/fs/cgroup"), 6, (path, _) -> path.endsWith(base))) {
            assertThat(left).isEmpty();
        }
        // One that has ended is here until somebody has asked how, which comes a moment later.
        while (!left().isEmpty()) {
            assertThat(Thread.interrupted()).as(() -> "still there: " + left()).isFalse();
        }
    }

    /// What each is and what it waits for.
    private List<String> left() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> !earlier.contains(process))
                .map(process -> process.pid() + " " + told(process, "stat") + " " + told(process, "wchan") + " "
                        + process.info().commandLine().orElse(""))
                .toList();
    }

    private static String told(ProcessHandle process, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
        } catch (IOException e) {
            return "has ended";
        }
    }

    @Test
    void tooManyVariablesAreRefused() {
        var recipe = recipe();
        for (int i = 0; i < 3000; i++) {
            recipe.variable("V" + i, "x");
        }
        assertThatThrownBy(() -> sandbox.start(recipe.spec())).hasMessageContaining("3000 environment variables");
        assertThat(recipe.spec().directory()).doesNotExist();
    }
}
