package dev.towtank.controllers.pipelines.resolution;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.pipelines.api.ResolutionRequest;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.RunStatus.Outcome;
import dev.towtank.model.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/// Writes what was found, or why nothing was, into the request.
final class ResolutionReconciler implements Reconciler<ResolutionRequest, ResolutionReconciler.Finding> {

    /// What came of looking.
    sealed interface Finding {
        /// The request is answered, or being deleted.
        record Nothing() implements Finding {}

        record Found(String text, Json.Obj source, Map<String, String> annotations) implements Finding {}

        record Failed(String reason, String message) implements Finding {}

        /// It is tried again then.
        record Later(Instant moment) implements Finding {}
    }

    @Override
    public Plan reconcile(Observed<ResolutionRequest> observed, Finding finding, Instant now) {
        var request = observed.object();
        var before = RunStatus.of(request);
        if (request.isDeleting() || before.isOver()) {
            return Plan.NONE;
        }
        return switch (finding) {
            case Finding.Nothing _ -> Plan.NONE;
            case Finding.Later(var moment) -> Plan.lookAgainAt(moment);
            case Finding.Found(var text, var source, var annotations) -> {
                var notes = Json.Obj.builder();
                annotations.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .forEach(note -> notes.put(note.getKey(), note.getValue()));
                var data = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
                yield Plan.NONE.setStatus(
                        PipelineKinds.RESOLUTION_REQUEST,
                        request,
                        before.with(Outcome.succeeded("ResolutionSuccessful", ""), now)
                                .with("data", Json.of(data))
                                .withNonEmpty("annotations", notes.build())
                                .with("source", source)
                                .with("refSource", source)
                                .json());
            }
            case Finding.Failed(var reason, var message) ->
                Plan.NONE.setStatus(
                        PipelineKinds.RESOLUTION_REQUEST,
                        request,
                        before.with(Outcome.failed(reason, message), now).json());
        };
    }
}
