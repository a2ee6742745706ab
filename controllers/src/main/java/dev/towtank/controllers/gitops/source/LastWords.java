package dev.towtank.controllers.gitops.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// What the pods of a job or a run wrote last.
public final class LastWords {

    private static final int LINES = 3;
    private static final int BYTES = 2_000;
    private static final Map<String, String> LABELS = Map.of(
            "batch/Job", "job-name",
            "tekton.dev/PipelineRun", "tekton.dev/pipelineRun",
            "tekton.dev/TaskRun", "tekton.dev/taskRun");

    private final PodAccess access;
    private final Cache pods;

    public LastWords(PodAccess access, Cache pods) {
        this.access = access;
        this.pods = pods;
    }

    /// Empty where nothing is known.
    ///
    /// @param phase of the pods that are asked: `Failed`, or `Running` for what they wrote so far
    public String of(LogicalCluster place, Json.Obj object, String phase) {
        var key = ResourceKey.of(object);
        var label = LABELS.get(key.group() + "/" + key.kind());
        if (label == null) {
            return "";
        }
        return pods.labelled(place, key.namespace(), label, key.name()).stream()
                .filter(pod -> pod.status().string("phase").equals(phase))
                .max(Comparator.comparing(pod -> pod.creationTimestamp().orElse(Instant.EPOCH)))
                .map(this::words)
                .orElse("");
    }

    private String words(Resource pod) {
        var container = pod.status().objects("containerStatuses").stream()
                .filter(each -> each.integer("state", "terminated", "exitCode") != 0)
                .map(each -> each.string("name"))
                .findFirst()
                .orElse("");
        try (var log = access.log(pod, request(container))) {
            return new String(log.readNBytes(BYTES), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .collect(Collectors.joining("; "));
        } catch (IOException | StatusError e) {
            return "";
        }
    }

    private static PodAccess.LogRequest request(String container) {
        return new PodAccess.LogRequest(
                container,
                false,
                false,
                false,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.of(LINES),
                OptionalLong.of(BYTES));
    }
}
