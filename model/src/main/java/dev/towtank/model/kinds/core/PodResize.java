package dev.towtank.model.kinds.core;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.PodResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What the containers of a running pod may use, changed without starting it anew.
public final class PodResize {

    private static final Path SPEC = Path.of("spec");
    private static final List<String> LISTS = List.of("containers", "initContainers");
    private static final Set<String> RESIZABLE = Set.of("cpu", "memory");
    private static final String ONLY_COMPUTE = "only cpu and memory resources are mutable";

    private PodResize() {}

    /// The pod as it was, with the resources that somebody wants. Containers that do not fit to those that there are
    /// stay as they are wanted, and [#validate] refuses them.
    public static Json.Obj only(Json.Obj edited, Json.Obj old) {
        var spec = old.object("spec");
        for (var list : LISTS) {
            if (edited.objects("spec", list).size() != spec.objects(list).size()) {
                return old.with("spec", edited.object("spec"));
            }
            var wanted = edited.objects("spec", list);
            if (!wanted.isEmpty()) {
                spec = spec.with(list, new Json.Arr(List.copyOf(merged(wanted, spec.objects(list)))));
            }
        }
        return old.with("spec", spec);
    }

    private static List<Json.Obj> merged(List<Json.Obj> wanted, List<Json.Obj> old) {
        var merged = new ArrayList<Json.Obj>();
        for (int i = 0; i < wanted.size(); i++) {
            var container = wanted.get(i);
            if (!container.string("name").equals(old.get(i).string("name"))) {
                return wanted;
            }
            merged.add(old.get(i)
                    .withOrWithout("resources", container.get("resources"))
                    .withOrWithout("resizePolicy", container.get("resizePolicy")));
        }
        return merged;
    }

    static void validate(Json.Obj pod, Json.Obj old, FieldError.Collector errors) {
        if (old.object("metadata", "annotations").has("kubernetes.io/config.mirror")) {
            errors.forbidden(Path.ROOT, "static pods cannot be resized");
            return;
        }
        if (old.string("spec", "os", "name").equals("windows")) {
            errors.forbidden(Path.ROOT, "windows pods cannot be resized");
            return;
        }
        validateClass(pod, old, errors);
        if (old.object("spec", "resources").size() > 0
                || pod.object("spec", "resources").size() > 0) {
            errors.forbidden(
                    Path.ROOT,
                    "resize of pods with pod-level resources is forbidden when"
                            + " InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled");
            return;
        }
        if (isInOrder(pod, old, errors)) {
            validateContainers(pod, old, errors);
        }
    }

    private static void validateClass(Json.Obj pod, Json.Obj old, FieldError.Collector errors) {
        var told = old.string("status", "qosClass");
        var before = told.isEmpty() ? PodResources.qosClass(old.object("spec")) : told;
        if (!before.equals(PodResources.qosClass(pod.object("spec")))) {
            errors.invalid(SPEC, Json.of(before), "Pod QOS Class may not change as a result of resizing");
        }
    }

    private static boolean isInOrder(Json.Obj pod, Json.Obj old, FieldError.Collector errors) {
        boolean ordered = true;
        for (var list : LISTS) {
            var now = pod.objects("spec", list);
            var before = old.objects("spec", list);
            if (now.size() != before.size()) {
                errors.forbidden(SPEC.child(list), list + " may not be added or removed on resize");
                ordered = false;
                continue;
            }
            for (int i = 0; i < now.size(); i++) {
                if (!now.get(i).string("name").equals(before.get(i).string("name"))) {
                    var path = SPEC.child(list).index(i).child("name");
                    errors.forbidden(path, list + " may not be renamed or reordered on resize");
                    ordered = false;
                }
            }
        }
        return ordered;
    }

    private static void validateContainers(Json.Obj pod, Json.Obj old, FieldError.Collector errors) {
        for (var list : LISTS.reversed()) {
            var before = old.objects("spec", list).iterator();
            Field.root(pod, errors).at("spec", list).each(container -> {
                var was = before.next();
                boolean init = list.equals("initContainers");
                if (init && !was.string("restartPolicy").equals("Always")) {
                    if (!Field.same(container.object(), was)) {
                        errors.forbidden(SPEC, "resources for non-sidecar init containers are immutable");
                    }
                    return;
                }
                validateKept(container.at("resources"), was.object("resources"));
                if (!Field.same(withCompute(container.object(), was), was)) {
                    errors.forbidden(
                            init ? container.path() : SPEC,
                            init ? "only cpu and memory resources for sidecar containers are mutable" : ONLY_COMPUTE);
                }
            });
        }
    }

    private static void validateKept(Field resources, Json.Obj old) {
        for (var list : List.of("requests", "limits")) {
            var now = resources.at(list).object();
            if (!now.keys().containsAll(old.object(list).keys())) {
                resources.at(list).forbidden("resource " + list + " cannot be removed");
            }
        }
    }

    /// The container with the processors and memory that it had: what differs then may not.
    private static Json.Obj withCompute(Json.Obj container, Json.Obj old) {
        var resources = container.object("resources");
        for (var list : List.of("requests", "limits")) {
            var amounts = resources.object(list);
            for (var name : RESIZABLE) {
                amounts = amounts.withOrWithout(
                        name, old.object("resources", list).get(name));
            }
            resources = amounts.size() == 0 && !old.object("resources").has(list)
                    ? resources.without(list)
                    : resources.with(list, amounts);
        }
        return container.with("resources", resources);
    }
}
