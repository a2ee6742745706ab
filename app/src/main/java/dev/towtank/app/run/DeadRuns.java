package dev.towtank.app.run;

import dev.towtank.apiserver.store.DirectoryLock;
import dev.towtank.app.run.history.RunHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/// Ends what runs left whose process was killed: their containers run on without it, as those of a server do.
///
/// @param engine ends, when it is closed, all containers of its directory, whoever started them
/// @param notices told what was done
public record DeadRuns(RunHistory history, RunEngine.Starter engine, Consumer<String> notices) {

    /// Runs that still run are left alone.
    public void sweep() {
        try {
            for (var place : WorkPlace.all(history.running())) {
                if (isDead(place)) {
                    sweep(place);
                }
            }
        } catch (IOException e) {
            notices.accept("Cannot look for what killed runs left in " + history.running() + ": " + e.getMessage());
        }
    }

    /// A place whose lock was never taken belongs to a run that is just beginning.
    private static boolean isDead(Path place) throws IOException {
        var lock = place.resolve("lock");
        return Files.exists(lock) && Files.size(lock) > 0;
    }

    private void sweep(Path place) {
        try (var dead = WorkPlace.takeOver(place, history.running())) {
            if (Files.isDirectory(dead.engine())) {
                engine.start(new RunEngine.Site(dead.engine(), List.of(), false))
                        .close();
            }
            var name = dead.forgetRun();
            notices.accept(
                    "A run that was killed" + name.map(id -> " (" + id + ")").orElse("")
                            + " had left its containers and files; they are gone now.");
        } catch (DirectoryLock.Taken e) {
            // it runs, or somebody else is sweeping it
        } catch (IOException | UncheckedIOException e) {
            notices.accept("A run that was killed has left files in " + place + ", which cannot be removed: "
                    + e.getMessage());
        }
    }
}
