package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.ReadFile;
import dev.towtank.node.logs.ContainerLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/// What a container says about its end: the content of a file, or the end of its log.
final class TerminationMessage {

    private static final String LIMIT_ANNOTATION = "node.towtank.dev/termination-message-limit";
    private static final int LARGEST_LIMIT = 1024 * 1024;
    private static final int LONGEST = 4096;
    private static final int LONGEST_OF_POD = 12 * 1024;
    private static final int LONGEST_FROM_LOG = 2048;
    private static final int LINES_FROM_LOG = 80;

    private TerminationMessage() {}

    /// What the containers of a pod may say, each: they share an upper bound, unless the pod asks for another one.
    static int limit(Resource pod, int containers) {
        var asked = pod.annotations().getOrDefault(LIMIT_ANNOTATION, "");
        if (asked.matches("\\d{1,9}")) {
            return Math.min(Integer.parseInt(asked), LARGEST_LIMIT);
        }
        return Math.min(LONGEST, LONGEST_OF_POD / Math.max(1, containers));
    }

    static String read(Json.Obj container, int code, Optional<Path> file, ContainerLog log, int limit) {
        try {
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
        var opened = ReadFile.open(file.toString());
        if (opened.isEmpty()) {
            return "";
        }
        try (var input = opened.get()) {
            return new String(input.bytes(limit), StandardCharsets.UTF_8);
        } catch (LinuxException e) {
            if (e.is(LinuxException.EISDIR)) {
                return "";
            }
            throw e;
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
            kept = joined.length <= limit ? joined : Arrays.copyOfRange(joined, joined.length - limit, joined.length);
        }
        return kept;
    }
}
