package dev.towtank.controllers.models;

import dev.towtank.controllers.models.api.ModelKinds;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A version does not change: what the gate says about it is added once.
final class ModelRules implements KindBehaviour {

    @Override
    public String group() {
        return ModelKinds.GROUP;
    }

    @Override
    public String kind() {
        return ModelKinds.MODEL_VERSION.kind();
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        var spec = object.object("spec");
        var name = object.string("metadata", "name");
        var expected = spec.string("model") + "-" + spec.string("version");
        if (!name.equals(expected)) {
            return refused(name, "metadata.name", Json.of(name), "must be " + expected + ": the model and the version");
        }
        if (old == null) {
            return Optional.empty();
        }
        var before = old.object("spec");
        if (!spec.without("gate").equals(before.without("gate"))) {
            return refused(name, "spec", Json.of(name), "versions are immutable: publish another one");
        }
        boolean wasRejected = before.string("gate", "verdict").equals("failed");
        return wasRejected && !spec.string("gate", "verdict").equals("failed")
                ? refused(name, "spec.gate", Json.of(name), "a rejected version stays rejected: publish another one")
                : Optional.empty();
    }

    private static Optional<StatusError> refused(String name, String field, Json value, String why) {
        var error = new FieldError(FieldError.Type.INVALID, field, value, why);
        return Optional.of(StatusError.invalid(ModelKinds.MODEL_VERSION, name, List.of(error)));
    }
}
