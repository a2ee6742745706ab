package dev.towtank.apiserver.admission;

import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.kinds.ResourceLists;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a pod as a whole asks for.
final class PodResources {

    private static final Set<String> SET_FOR_PODS = Set.of("cpu", "memory");

    private PodResources() {}

    /// The amounts at a path of an object, by name; what is no quantity is left out.
    static SortedMap<String, Quantity> read(Json.Obj holder, String... path) {
        var amounts = new TreeMap<String, Quantity>();
        holder.object(path)
                .forEach((name, value) ->
                        ResourceLists.quantity(value).ifPresent(amount -> amounts.put(name, amount)));
        return amounts;
    }

    /// The containers run together; init containers run one after another before them, but sidecars stay.
    ///
    /// @param field `requests` or `limits`
    static SortedMap<String, Quantity> total(Json.Obj pod, String field) {
        var total = new TreeMap<String, Quantity>();
        for (var container : pod.objects("spec", "containers")) {
            add(total, read(container, "resources", field));
        }
        var sidecars = new TreeMap<String, Quantity>();
        var starting = new TreeMap<String, Quantity>();
        for (var container : pod.objects("spec", "initContainers")) {
            var own = new TreeMap<>(read(container, "resources", field));
            if (container.string("restartPolicy").equals("Always")) {
                add(total, own);
                add(sidecars, own);
                raise(starting, sidecars);
            } else {
                add(own, sidecars);
                raise(starting, own);
            }
        }
        raise(total, starting);
        read(pod, "spec", "resources", field).forEach((name, amount) -> {
            if (SET_FOR_PODS.contains(name)) {
                total.put(name, amount);
            }
        });
        return total;
    }

    private static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
        more.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
    }

    private static void raise(Map<String, Quantity> highest, Map<String, Quantity> other) {
        other.forEach((name, amount) -> highest.merge(name, amount, (a, b) -> a.compareTo(b) >= 0 ? a : b));
    }
}
