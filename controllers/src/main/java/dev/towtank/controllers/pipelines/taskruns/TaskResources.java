package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.controllers.pipelines.api.TaskRunSpec;
import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/// Requests and limits of a pod's containers: what a run, a LimitRange and the defaults add to what the task says.
final class TaskResources {

    private static final List<String> NAMES = List.of("cpu", "memory", "ephemeral-storage");

    private TaskResources() {}

    /// With what the run says about the container of this name.
    static Json.Obj overridden(Json.Obj container, List<TaskRunSpec.ContainerResources> overrides) {
        var result = container;
        for (var override : overrides) {
            if (override.name().equals(container.string("name"))) {
                var resources = result.object("resources");
                for (var field : override.computeResources().keys()) {
                    resources = resources.with(
                            field,
                            resources.object(field).toBuilder()
                                    .putAll(override.computeResources().object(field))
                                    .build());
                }
                result = result.with("resources", resources);
            }
        }
        return result;
    }

    /// The resources of a whole task, divided among its steps.
    static Json.Obj divided(Json.Obj container, Json.Obj resources, int steps) {
        if (resources.object("requests").size() == 0
                && resources.object("limits").size() == 0) {
            return container;
        }
        var onlyLimits = !container.object("resources").has("requests") && !resources.has("requests");
        var shared = Json.Obj.builder()
                .putNonEmpty("limits", resources.object("limits"))
                .putNonEmpty("requests", share(resources.object(onlyLimits ? "limits" : "requests"), steps));
        return container.with("resources", shared.build());
    }

    private static Json.Obj share(Json.Obj amounts, int parts) {
        var shared = Json.Obj.builder();
        amounts.forEach((name, value) -> shared.put(name, share(name, value.display(), parts)));
        return shared.build();
    }

    private static String share(String name, String text, int parts) {
        var whole = Quantity.parse(text);
        int digits = name.equals("memory") || name.equals("ephemeral-storage") ? 0 : 3;
        var part = whole.amount().divide(BigDecimal.valueOf(parts), digits, RoundingMode.DOWN);
        return Quantity.of(part, whole.format()).toString();
    }

    /// Default requests of LimitRanges are meant for a container; steps run one after another and share one.
    static List<Json.Obj> limited(List<Json.Obj> containers, List<Resource> limitRanges) {
        int steps = (int) containers.stream().filter(TaskResources::isStep).count();
        var requests = Json.Obj.EMPTY;
        for (var range : limitRanges) {
            for (var item : range.spec().objects("limits")) {
                if (item.string("type").equals("Container")) {
                    requests = larger(requests, item, steps);
                }
            }
        }
        if (requests.size() == 0) {
            return containers;
        }
        var usual = requests;
        return containers.stream()
                .map(container -> isStep(container) ? withUsual(container, usual) : container)
                .toList();
    }

    private static boolean isStep(Json.Obj container) {
        return container.string("name").startsWith("step-");
    }

    private static Json.Obj larger(Json.Obj requests, Json.Obj item, int steps) {
        var result = requests;
        for (var name : NAMES) {
            var least = quantity(item.object("min"), name);
            var shared = quantity(share(only(item.object("defaultRequest"), name), steps), name);
            var known = quantity(requests, name);
            var most = List.of(least, shared, known).stream()
                    .max(Quantity::compareTo)
                    .orElse(Quantity.ZERO);
            if (!most.isZero()) {
                result = result.with(name, Json.of(most.toString()));
            }
        }
        return result;
    }

    private static Json.Obj only(Json.Obj amounts, String name) {
        var value = amounts.get(name);
        return value == null ? Json.Obj.EMPTY : Json.Obj.of(name, value);
    }

    private static Quantity quantity(Json.Obj amounts, String name) {
        var value = amounts.get(name);
        return value == null ? Quantity.ZERO : Quantity.parse(value.display());
    }

    private static Json.Obj withUsual(Json.Obj container, Json.Obj usual) {
        var requests = usual.toBuilder()
                .putAll(container.object("resources", "requests"))
                .build();
        return container.with(List.of("resources", "requests"), requests);
    }

    /// For containers that say nothing themselves: by their name, or else what `default` has.
    static Json.Obj withDefaults(Json.Obj container, Json.Obj defaults) {
        if (container.object("resources").size() > 0) {
            return container;
        }
        var own = defaults.object(container.string("name"));
        var resources = own.size() > 0 ? own : defaults.object("default");
        return resources.size() == 0 ? container : container.with("resources", resources);
    }
}
