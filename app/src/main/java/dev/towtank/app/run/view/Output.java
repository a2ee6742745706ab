package dev.towtank.app.run.view;

import dev.towtank.app.run.images.ImageTable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Where a run is shown. All calls come from one thread.
public interface Output extends AutoCloseable {

    /// How the run has ended for whoever started it.
    ///
    /// @param directory where it is kept
    record Finish(int exitCode, Optional<Path> directory, List<Ending.Hint> hints) {
        public Finish {
            hints = List.copyOf(hints);
        }
    }

    /// Something the user should know.
    void notice(String text);

    /// What the run's containers will run on.
    default void images(ImageTable table) {
        table.lines().forEach(this::notice);
    }

    void log(LogLine line);

    /// A new state, or the old one at a later time.
    void state(RunState state, Instant now);

    void end(RunState state, Finish finish, Instant now);

    /// How often the picture must be painted again though nothing happens.
    default Optional<Duration> frame() {
        return Optional.empty();
    }

    @Override
    public void close();
}
