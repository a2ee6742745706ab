package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.node.logs.ContainerLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/// What a container says about its end: the content of a file, or the end of its log.
final class TerminationMessage {

    private static final int LONGEST = 4096;
    private static final int LONGEST_OF_POD = 12 * 1024;
    private static final int LONGEST_FROM_LOG = 2048;
    private static final int LINES_FROM_LOG = 80;

    private TerminationMessage() {}

    /// @param containers of the pod, which share an upper bound
    static String read(Json.Obj container, int code, Optional<Path> file, ContainerLog log, int containers) {
        try {
            var limit = Math.min(LONGEST, LONGEST_OF_POD / Math.max(1, containers));
            var said = file.isPresent() ? start(file.get(), limit) : "";
            boolean fallback = container.string("terminationMessagePolicy").equals("FallbackToLogsOnError")
                    && code != 0
                    && said.isEmpty();
            return fallback ? end(log, Math.min(LONGEST_FROM_LOG, limit)) : said;
        } catch (IOException e) {
            return "Error on reading termination log: " + e.getMessage();
        }
    }

    private static String start(Path file, int limit) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return "";
        }
        try (var input = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return new String(input.readNBytes(limit), StandardCharsets.UTF_8);
        }
    }

    private static String end(ContainerLog log, int limit) throws IOException {
        var query = new ContainerLog.Query(
                false, false, Optional.empty(), OptionalLong.of(LINES_FROM_LOG), OptionalLong.empty());
        try (var input = log.read(query)) {
            return new String(last(input, limit), StandardCharsets.UTF_8);
        }
    }

    private static byte[] last(InputStream input, int limit) throws IOException {
        var kept = new byte[0];
        var buffer = new byte[8192];
        for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
            var joined = Arrays.copyOf(kept, kept.length + count);
            System.arraycopy(buffer, 0, joined, kept.length, count);
            kept = joined.length <= limit
                    ? joined
                    : Arrays.copyOfRange(joined, joined.length - limit, joined.length);
        }
        return kept;
    }
}
