package dev.towtank.controllers.pipelines.runs;

import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.Waker;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// What containers have said that say no more.
@FunctionalInterface
public interface PodLogs {

    /// Where no container says anything.
    PodLogs SILENT = (_, _, _) -> new Answer.Known<>("", Instant.EPOCH);

    /// All of it; nothing when there is no such log any more.
    ///
    /// @param asker is looked at again when it is known
    Answer<String> ask(ObjectName asker, Resource pod, String container);

    /// Tells who asked what is known only later.
    default Waker waker() {
        return _ -> {};
    }

    /// @param limit as many bytes are read of a log
    static Open of(PodAccess pods, int limit, Timers timers) {
        return new Open(pods, limit, timers);
    }

    /// The same pod is asked about once, however its object changes.
    record Log(Resource pod, String container) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Log log && log.pod.uid().equals(pod.uid()) && log.container.equals(container);
        }

        @Override
        public int hashCode() {
            return Objects.hash(pod.uid(), container);
        }
    }

    /// Reads them beside the decisions.
    final class Open implements PodLogs, AutoCloseable {
        // They may be long, and are asked for in one or two looks.
        private static final Outside.Limits LIMITS =
                new Outside.Limits(Duration.ofMinutes(1), 8, 64, Outside.Limits.USUAL.backoff());

        private final Outside<Log, String> logs;

        private Open(PodAccess pods, int limit, Timers timers) {
            this.logs = new Outside<>("logs of results", log -> read(pods, limit, log), LIMITS, timers);
        }

        @Override
        public Answer<String> ask(ObjectName asker, Resource pod, String container) {
            return logs.ask(asker, new Log(pod, container));
        }

        @Override
        public Waker waker() {
            return logs;
        }

        private static String read(PodAccess pods, int limit, Log log) throws IOException {
            var request = new PodAccess.LogRequest(
                    log.container,
                    false,
                    false,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.empty(),
                    OptionalLong.of(limit));
            try (var text = pods.log(log.pod, request)) {
                return new String(text.readNBytes(limit), StandardCharsets.UTF_8);
            } catch (StatusError e) {
                if (e.is(StatusError.Reason.NOT_FOUND)) {
                    return "";
                }
                throw new IOException(e.text(), e);
            }
        }

        @Override
        public void close() {
            logs.close();
        }
    }
}
