package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Refuses what no ServingRuntime is served with here, so that nobody waits for it.
record RuntimeBehaviour(Kind<?> of) implements KindBehaviour {

    private static final List<String> OF_MANY_MODELS = List.of(
            "grpcEndpoint", "grpcDataEndpoint", "httpDataEndpoint", "replicas", "storageHelper", "builtInAdapter");

    @Override
    public String group() {
        return ServingKinds.GROUP;
    }

    @Override
    public String kind() {
        return of.kind();
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        var spec = object.object("spec");
        var errors = new ArrayList<FieldError>();
        if (spec.flag("multiModel")) {
            errors.add(forbidden("multiModel", "servers of many models are not served here; leave it out"));
        }
        for (var field : OF_MANY_MODELS) {
            if (spec.has(field)) {
                errors.add(forbidden(field, "it is for servers of many models, which are not served here"));
            }
        }
        if (spec.has("workerSpec")) {
            errors.add(forbidden("workerSpec", "models over several nodes are not served on one machine"));
        }
        for (var protocol : spec.array("protocolVersions").strings()) {
            if (protocol.startsWith("grpc") && spec.array("protocolVersions").size() == 1) {
                errors.add(forbidden("protocolVersions", "gRPC is not served here: it has to speak v1 or v2, too"));
            }
        }
        return errors.isEmpty()
                ? Optional.empty()
                : Optional.of(StatusError.invalid(of, object.string("metadata", "name"), errors));
    }

    private static FieldError forbidden(String field, String why) {
        return new FieldError(FieldError.Type.FORBIDDEN, "spec." + field, Json.Null.NULL, why);
    }
}
