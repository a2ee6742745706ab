package dev.towtank.controllers.pipelines.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// resolution.tekton.dev/v1beta1 ResolutionRequest: asks a resolver for a definition.
public record ResolutionRequest(String apiVersion, String kind, Metadata metadata, Spec spec, Status status) {

    public static final String TYPE_LABEL = "resolution.tekton.dev/type";

    public record Spec(List<Param> params, String url) {}

    /// @param data what was found, in base64
    public record Status(
            long observedGeneration,
            List<Condition> conditions,
            Map<String, String> annotations,
            String data,
            Optional<Provenance.RefSource> source,
            Optional<Provenance.RefSource> refSource) {

        public Optional<Condition> succeeded() {
            return conditions.stream()
                    .filter(condition -> condition.type().equals(Condition.SUCCEEDED))
                    .findFirst();
        }
    }
}
