package dev.towtank.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.run.history.RunHistory;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.pods.PodAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadRunsTest {
    @TempDir
    Path temp;

    private RunHistory history = new RunHistory(Path.of(""));
    private final List<String> notices = new ArrayList<>();
    private final List<Path> ended = new ArrayList<>();

    @BeforeEach
    void begin() throws IOException {
        history = new RunHistory(temp.resolve("runs"));
        Files.createDirectories(temp.resolve("work"));
    }

    private void sweep() {
        new DeadRuns(history, site -> new Ending(site.directory()), notices::add).sweep();
    }

    private final class Ending implements RunEngine {
        private final Path directory;

        Ending(Path directory) {
            this.directory = directory;
        }

        @Override
        public Cluster cluster() {
            throw new UnsupportedOperationException();
        }

        @Override
        public PodAccess pods() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void kill() {}

        @Override
        public void close() {
            ended.add(directory);
        }
    }

    /// As if its process had been killed: the system gives its lock away, and nobody removes the rest.
    private Path dead() throws IOException {
        var place = Files.createDirectories(temp.resolve("work").resolve("dead"));
        Files.createDirectory(place.resolve("engine"));
        Files.writeString(place.resolve("lock"), "process 4711 (a run)");
        Files.createDirectories(history.running());
        Files.createSymbolicLink(history.running().resolve("dead"), place);
        return place;
    }

    @Test
    void endsTheContainersAndRemovesTheFiles() throws IOException {
        var place = dead();
        var remembered = history.begin("slow-1");
        Files.createSymbolicLink(place.resolve("remembered"), remembered.path());

        sweep();

        assertThat(ended).containsExactly(place.resolve("engine"));
        assertThat(place).doesNotExist();
        assertThat(remembered.path()).doesNotExist();
        assertThat(history.running()).isEmptyDirectory();
        assertThat(notices)
                .containsExactly(
                        "A run that was killed (slow-1) had left its containers and files; they are gone now.");
    }

    @Test
    void keepsWhatIsRememberedOfARunThatHadEnded() throws IOException {
        var remembered = history.begin("slow-1");
        Files.writeString(remembered.summary(), "{}");
        Files.createSymbolicLink(dead().resolve("remembered"), remembered.path());

        sweep();

        assertThat(remembered.summary()).exists();
    }

    @Test
    void leavesRunsAloneThatRunOrAreJustBeginning() throws IOException {
        var beginning = dead();
        Files.writeString(beginning.resolve("lock"), "");
        try (var running = WorkPlace.make(Optional.of(temp.resolve("work")), history.running())) {
            Files.createDirectories(running.engine());

            sweep();

            assertThat(running.engine()).exists();
            assertThat(beginning.resolve("engine")).exists();
        }
        assertThat(ended).isEmpty();
        assertThat(notices).isEmpty();
    }

    @Test
    void forgetsPlacesThatSomebodyElseRemoved() throws IOException {
        Files.createDirectories(history.running());
        Files.createSymbolicLink(history.running().resolve("gone"), temp.resolve("gone"));

        sweep();

        assertThat(history.running()).isEmptyDirectory();
        assertThat(notices).isEmpty();
    }
}
