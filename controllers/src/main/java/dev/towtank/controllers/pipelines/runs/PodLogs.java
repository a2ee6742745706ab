package dev.towtank.controllers.pipelines.runs;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/// What containers have said.
public interface PodLogs {

    /// Where no container says anything.
    PodLogs SILENT = (_, _) -> "";

    /// All of it up to now; nothing when there is no such log any more.
    ///
    /// @throws StatusError the node cannot tell at the moment
    String of(Resource pod, String container);

    /// @param limit as many bytes are read of a log
    static PodLogs of(PodAccess pods, int limit) {
        return (pod, container) -> {
            var request = new PodAccess.LogRequest(
                    container,
                    false,
                    false,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.empty(),
                    OptionalLong.of(limit));
            try (var log = pods.log(pod, request)) {
                return new String(log.readNBytes(limit), StandardCharsets.UTF_8);
            } catch (StatusError e) {
                if (e.is(StatusError.Reason.NOT_FOUND)) {
                    return "";
                }
                throw e;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }
}
