package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Spawn;
import dev.towtank.node.linux.SpawningThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupsTest {

    private static final String ID = "c1";
    private static final ContainerSpec.Limits LIMITS = ContainerSpec.Limits.none();

    private static final Path OURS = Path.of("/proc/self/cgroup");

    @TempDir
    Path home;

    private final Cgroups cgroups =
            Cgroups.find("test-" + ProcessHandle.current().pid());

    @AfterEach
    void remove() {
        assertThat(cgroups.remove(ID)).isTrue();
        cgroups.removeAll();
    }

    /// In the container's groups where threads can be there, else in ours.
    private int start(SpawningThread thread, String script) throws IOException {
        if (cgroups.takeThreads()) {
            cgroups.make(ID, LIMITS, 10);
        }
        int none = Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0);
        try {
            return thread.start(
                    new Spawn.Program(
                            Path.of("/bin/sh"),
                            List.of("sh", "-c", script),
                            List.of(),
                            List.of(none, none, none),
                            Optional.empty(),
                            Optional.of(home)),
                    cgroups.place(ID));
        } finally {
            Descriptors.close(none);
        }
    }

    private static List<String> groups(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.contains(":pids:"))
                .toList();
    }

    @Test
    void whatIsStartedInAPlaceIsThereWithTheFirstThatItForks() throws Exception {
        var before = Files.readAllLines(OURS);
        try (var thread = new SpawningThread("test")) {
            assertThat(Processes.await(start(thread, "cat /proc/self/cgroup >child & wait")))
                    .hasValue(0);
        }

        if (cgroups.takeThreads()) {
            assertThat(groups(home.resolve("child")))
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line).endsWith("/" + cgroups.group(ID)));
        } else {
            assertThat(Files.readAllLines(home.resolve("child"))).isEqualTo(before);
        }
        assertThat(Files.readAllLines(OURS)).isEqualTo(before);
    }

    private static List<Path> places(Cgroups server) {
        return server.place(ID).stream()
                .flatMap(place -> place.groups().stream())
                .toList();
    }

    @Test
    void theNextServerFindsAndRemovesWhatItDidNotMake() throws Exception {
        if (cgroups.takeThreads()) {
            cgroups.make(ID, LIMITS, 10);
        }
        var next = Cgroups.find("test-" + ProcessHandle.current().pid());
        assertThat(places(next)).isEqualTo(places(cgroups));
        assertThat(places(next).isEmpty()).isNotEqualTo(cgroups.takeThreads());

        assertThat(next.remove(ID)).isTrue();

        assertThat(places(next)).isEmpty();
        assertThat(next.remove(ID)).isTrue();
    }

    @Test
    void theThreadGoesBackEvenWhenNothingCouldBeStarted() throws Exception {
        var missing = new Spawn.Program(
                Path.of("/no/such"), List.of("such"), List.of(), List.of(), Optional.empty(), Optional.empty());
        try (var thread = new SpawningThread("test")) {
            if (cgroups.takeThreads()) {
                cgroups.make(ID, LIMITS, 10);
            }
            assertThatThrownBy(() -> thread.start(missing, cgroups.place(ID))).hasMessageContaining("/no/such");
        }

        assertThat(cgroups.member(ID)).isEqualTo(OptionalInt.empty());
        assertThat(cgroups.remove(ID)).isTrue();
    }
}
