package dev.towtank.node.logs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/// Logs that nobody writes any more.
public final class ContainerLogs {

    private ContainerLogs() {}

    /// The log of a run that has ended, by its directory; empty where nothing was ever stored.
    public static ContainerLog stored(Path directory) {
        var files = new LogFiles(directory);
        return new ContainerLog() {
            @Override
            public InputStream read(Query query) throws IOException {
                return LogReader.open(files, LogReader.ended(), query);
            }

            @Override
            public boolean lacksBeginning() throws IOException {
                return files.lackBeginning();
            }

            @Override
            public void append(String line) throws IOException {
                throw new IOException("the container has ended, and its log with it");
            }
        };
    }
}
