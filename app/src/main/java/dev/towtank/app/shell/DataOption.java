package dev.towtank.app.shell;

import dev.towtank.app.engine.DataDirectory;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which server a command is about.
public final class DataOption {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The data directory (default: towtank in $$XDG_STATE_HOME or in ~/.local/state).")
    private @Nullable Path directory;

    public DataDirectory resolve(Surroundings surroundings) {
        return DataDirectory.locate(directory, surroundings.environment());
    }
}
