package dev.towtank.controllers.triggers.validation;

import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the kinds of Tekton Triggers do when somebody writes them.
public record TriggersBehaviour(String kind) implements KindBehaviour {

    private static final String MUTATING = "webhook.triggers.tekton.dev";
    private static final String VALIDATING = "validation." + MUTATING;

    public static List<KindBehaviour> all() {
        return Stream.of(
                        "EventListener",
                        "Trigger",
                        "TriggerBinding",
                        "ClusterTriggerBinding",
                        "TriggerTemplate",
                        "Interceptor",
                        "ClusterInterceptor")
                .<KindBehaviour>map(TriggersBehaviour::new)
                .toList();
    }

    @Override
    public String group() {
        return TriggersKinds.GROUP;
    }

    @Override
    public Json.Obj defaults(Json.Obj object) {
        return Defaulting.of(object);
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        var unknown = KnownFields.unknown(kind, object.object("spec"));
        if (unknown.isPresent()) {
            return Optional.of(KindBehaviour.denied(
                    MUTATING,
                    "mutation failed: cannot decode incoming new object: json: unknown field "
                            + Json.of(unknown.get())));
        }
        var problems = Checks.of(kind, object);
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(KindBehaviour.denied(VALIDATING, "validation failed: " + problems.text()));
    }
}
