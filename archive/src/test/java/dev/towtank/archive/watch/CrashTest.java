package dev.towtank.archive.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.archive.Runs;
import dev.towtank.archive.sql.Database;
import dev.towtank.archive.sql.Databases;
import dev.towtank.archive.sql.Sql;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.Ids;
import dev.towtank.archive.store.Rows;
import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.patch.MergePatch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ends the watcher between any two of its steps, and starts it again, until the run is gone.
class CrashTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final WatchSettings SETTINGS = WatchSettings.DEFAULT.withGrace(Duration.ofMinutes(10));

    @TempDir
    Path directory;

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @Test
    void whereverItCrashesEverythingIsArchivedOnceBeforeItGoes() throws IOException {
        for (var url : Databases.urls(directory)) {
            int most = play(url, Integer.MAX_VALUE);
            assertThat(most).isGreaterThan(6);
            for (int step = 0; step <= most; step++) {
                play(Databases.urls(directory).get(url.startsWith("jdbc:sqlite:") ? 0 : 1), step);
            }
        }
    }

    /// How many steps it took until the run was gone.
    private static int play(String url, int crashAt) throws IOException {
        var world = new World(crashAt);
        for (int restarts = 0; restarts < 20 && !world.isGone(); restarts++) {
            try (var database = Database.open(url)) {
                new Watcher(world, new Archive(database, InstantSource.fixed(NOON), Archive.Limits.DEFAULT)).run();
            } catch (Crash e) {
                world.crashAt = Integer.MAX_VALUE;
            }
        }
        assertThat(world.isGone()).isTrue();
        try (var database = Database.open(url)) {
            var archive = new Archive(database, InstantSource.fixed(NOON), Archive.Limits.DEFAULT);
            assertThat(count(database, "SELECT COUNT(*) FROM results")).isEqualTo(1);
            // Two runs, each with a log and events.
            assertThat(count(database, "SELECT COUNT(*) FROM records")).isEqualTo(6);
            assertThat(count(database, "SELECT COUNT(*) FROM logs")).isEqualTo(4);
            assertThat(count(database, "SELECT COUNT(*) FROM log_chunks")).isEqualTo(2);
            assertThat(text(archive, database)).isEqualTo("""
                [compile : fetch] log of step-fetch
                [compile : fetch] has two lines

                [compile : make] log of step-make
                [compile : make] has two lines

                """);
        }
        return world.steps;
    }

    private static long count(Database database, String sql) {
        return database.read(session -> session.first(Sql.of(sql), row -> row.getLong(1)))
                .orElse(-1L);
    }

    private static String text(Archive archive, Database database) throws IOException {
        var run = Runs.pipelineRun("p1", "[]");
        var id = Ids.ofResult("dev", "p1");
        var log = database.read(session -> Rows.record(session, "dev", "p1", Marks.log(run, id)))
                .orElseThrow();
        var out = new ByteArrayOutputStream();
        archive.copy(log, true, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    /// A cluster with one PipelineRun and its TaskRun, which counts what is done to it.
    private static final class World {
        private final Map<String, Resource> objects = new LinkedHashMap<>();
        private int crashAt;
        private int steps;

        World(int crashAt) {
            this.crashAt = crashAt;
            objects.put("p1", Runs.pipelineRun("p1", "[]"));
            objects.put("t1", Runs.taskRun("t1", "p1", "[]"));
        }

        boolean isGone() {
            return objects.isEmpty();
        }

        void step() {
            if (steps++ == crashAt) {
                throw new Crash();
            }
        }

        void carryOut(Change change, Archive archive) {
            step();
            switch (change) {
                case Change.PatchFields(var _, var seen, var fields) -> {
                    var now = objects.get(seen.uid());
                    if (now != null) {
                        objects.put(seen.uid(), now.with(MergePatch.apply(now.json(), fields)));
                        goIfReleased(seen.uid(), archive);
                    }
                }
                case Change.Delete delete -> {
                    var now = objects.get(delete.seen().uid());
                    var when = List.of("metadata", "deletionTimestamp");
                    objects.put(now.uid(), now.with(now.json().with(when, Json.of(NOON.toString()))));
                    goIfReleased(now.uid(), archive);
                }
                default -> throw new IllegalStateException(change.toString());
            }
        }

        // As the garbage collector does, the child goes with its owner.
        private void goIfReleased(String uid, Archive archive) {
            var object = objects.get(uid);
            if (object.isDeleting() && object.finalizers().isEmpty()) {
                assertThat(archive.digest("dev", "p1", uid)).contains(Marks.digest(object, true));
                objects.remove(uid);
                var child = objects.get("t1");
                if (child != null) {
                    var when = List.of("metadata", "deletionTimestamp");
                    objects.put("t1", child.with(child.json().with(when, Json.of(NOON.toString()))));
                }
            }
        }
    }

    private record Watcher(World world, Archive archive) {

        void run() {
            var logs = new Logs((_, container) -> {
                world.step();
                var text = "log of " + container + "\nhas two lines\n";
                return Optional.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
            });
            var store = new ArchiveRunStore(archive, SETTINGS, logs);
            boolean changed = true;
            while (changed) {
                changed = false;
                for (var run : new ArrayList<>(world.objects.values())) {
                    var now = world.objects.get(run.uid());
                    if (now != null) {
                        changed |= look(now, store);
                    }
                }
            }
        }

        private boolean look(Resource run, RunStore store) {
            boolean isParent = run.uid().equals("p1");
            var child = Optional.ofNullable(world.objects.get("t1"));
            var children = isParent ? child.stream().toList() : List.<Resource>of();
            var facts = new RunFacts(
                    !isParent && world.objects.containsKey("p1"),
                    children,
                    List.of(Runs.pod("Succeeded")),
                    List.of(Runs.event("p1")),
                    store.archived(run, children));
            var decision =
                    new RunReconciler(SETTINGS).decide(new Observed<>(run, run.json(), Optional.empty()), facts, NOON);
            decision.deed().ifPresent(deed -> {
                world.step();
                store.archive(deed);
                world.step();
            });
            decision.plan().changes().forEach(change -> world.carryOut(change, archive));
            return decision.deed().isPresent() || !decision.plan().changes().isEmpty();
        }
    }
}
