package dev.towtank.app.example;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A lantern stays where it is: what the object alone tells, and its schema cannot say.
final class LanternBehaviour implements KindBehaviour {

    @Override
    public String group() {
        return LanternReconciler.LANTERNS.group();
    }

    @Override
    public String kind() {
        return LanternReconciler.LANTERNS.kind();
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj lantern, Json.@Nullable Obj old) {
        return old == null || old.string("spec", "town").equals(lantern.string("spec", "town"))
                ? Optional.empty()
                : Optional.of(KindBehaviour.denied("lanterns.example.towtank.dev", "a lantern does not move"));
    }
}
