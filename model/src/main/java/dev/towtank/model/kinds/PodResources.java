package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What a pod as a whole asks for, and how well it is served when the node runs short.
public final class PodResources {

    private static final Set<String> COMPUTE = Set.of("cpu", "memory");

    private PodResources() {}

    /// Requests of the pod: of its containers together, or of the init container that needs more than all of them.
    public static Map<String, Quantity> requests(Json.Obj spec) {
        var total = total(spec, "requests");
        amounts(spec.object("overhead")).forEach((name, amount) -> total.merge(name, amount, Quantity::plus));
        return total;
    }

    /// Limits of the pod; overhead adds only to limits that there are.
    public static Map<String, Quantity> limits(Json.Obj spec) {
        var total = total(spec, "limits");
        amounts(spec.object("overhead"))
                .forEach((name, amount) -> total.computeIfPresent(name, (_, limit) -> limit.plus(amount)));
        return total;
    }

    static Map<String, Quantity> amounts(Json.Obj resources) {
        var amounts = new TreeMap<String, Quantity>();
        resources.forEach(
                (name, value) -> ResourceLists.quantity(value).ifPresent(amount -> amounts.put(name, amount)));
        return amounts;
    }

    private static Map<String, Quantity> total(Json.Obj spec, String list) {
        var total = new TreeMap<String, Quantity>();
        for (var container : spec.objects("containers")) {
            add(total, amounts(container.object("resources", list)));
        }
        var sidecars = new TreeMap<String, Quantity>();
        var peak = new TreeMap<String, Quantity>();
        for (var container : spec.objects("initContainers")) {
            var own = amounts(container.object("resources", list));
            if (container.string("restartPolicy").equals("Always")) {
                add(total, own);
                add(sidecars, own);
                raise(peak, sidecars);
            } else {
                // It runs beside the sidecars that were started before it.
                add(own, sidecars);
                raise(peak, own);
            }
        }
        raise(total, peak);
        total.putAll(amounts(spec.object("resources", list)));
        return total;
    }

    /// Which resources of a container have other amounts in one of two wishes, however they are written.
    public static Set<String> differences(Json.Obj resources, Json.Obj others) {
        var different = new TreeSet<String>();
        for (var list : List.of("requests", "limits")) {
            var one = amounts(resources.object(list));
            var other = amounts(others.object(list));
            Stream.concat(one.keySet().stream(), other.keySet().stream())
                    .filter(name -> !sameAmount(one, other, name))
                    .forEach(different::add);
        }
        return different;
    }

    private static void add(Map<String, Quantity> total, Map<String, Quantity> more) {
        more.forEach((name, amount) -> total.merge(name, amount, Quantity::plus));
    }

    private static void raise(Map<String, Quantity> total, Map<String, Quantity> other) {
        other.forEach((name, amount) -> total.merge(name, amount, (one, two) -> one.compareTo(two) >= 0 ? one : two));
    }

    /// `Guaranteed`, `Burstable` or `BestEffort`.
    public static String qosClass(Json.Obj spec) {
        var parts = spec.get("resources") instanceof Json.Obj whole && whole.size() > 0
                ? List.of(whole)
                : containerResources(spec);
        var guaranteed = !parts.isEmpty();
        var asksForNothing = true;
        for (var part : parts) {
            var requests = nonZero(part.object("requests"));
            var limits = nonZero(part.object("limits"));
            asksForNothing &= requests.isEmpty() && limits.isEmpty();
            guaranteed &= limits.keySet().equals(COMPUTE)
                    && requests.keySet().stream().allMatch(name -> sameAmount(requests, limits, name));
        }
        return asksForNothing ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
    }

    private static boolean sameAmount(Map<String, Quantity> one, Map<String, Quantity> other, String name) {
        var first = one.get(name);
        var second = other.get(name);
        return first != null && second != null && first.compareTo(second) == 0;
    }

    private static List<Json.Obj> containerResources(Json.Obj spec) {
        return Stream.of("containers", "initContainers")
                .flatMap(list -> spec.objects(list).stream())
                .map(container -> container.object("resources"))
                .toList();
    }

    private static Map<String, Quantity> nonZero(Json.Obj resources) {
        var amounts = amounts(resources);
        amounts.entrySet()
                .removeIf(entry ->
                        !COMPUTE.contains(entry.getKey()) || entry.getValue().signum() <= 0);
        return amounts;
    }
}
