package dev.towtank.controllers.triggers.validation;

import dev.towtank.model.Json;
import java.util.List;
import java.util.function.UnaryOperator;

/// What users leave out: the kinds of references.
final class Defaulting {

    private Defaulting() {}

    static Json.Obj of(Json.Obj object) {
        if (!(object.get("spec") instanceof Json.Obj spec)) {
            return object;
        }
        return switch (object.string("kind")) {
            case "EventListener" -> object.with("spec", listener(spec));
            case "Trigger" -> object.with("spec", trigger(spec));
            default -> object;
        };
    }

    private static Json.Obj listener(Json.Obj spec) {
        var filled = each(spec, "triggers", Defaulting::trigger);
        filled = each(filled, "triggerGroups", Defaulting::trigger);
        // Nobody listens with no replicas.
        var replicas = List.of("resources", "kubernetesResource", "replicas");
        return Json.of(0).equals(filled.at("resources", "kubernetesResource", "replicas"))
                ? filled.with(replicas, Json.of(1))
                : filled;
    }

    private static Json.Obj trigger(Json.Obj spec) {
        var filled = each(
                spec,
                "bindings",
                binding ->
                        binding.string("kind").isEmpty() ? binding.with("kind", Json.of("TriggerBinding")) : binding);
        return each(
                filled,
                "interceptors",
                interceptor -> !interceptor.has("webhook")
                                && interceptor.string("ref", "kind").isEmpty()
                                && !interceptor.string("ref", "name").isEmpty()
                        ? interceptor.with(List.of("ref", "kind"), Json.of("ClusterInterceptor"))
                        : interceptor);
    }

    private static Json.Obj each(Json.Obj spec, String field, UnaryOperator<Json.Obj> change) {
        return spec.get(field) instanceof Json.Arr items
                ? spec.with(field, items.map(item -> item instanceof Json.Obj object ? change.apply(object) : item))
                : spec;
    }
}
