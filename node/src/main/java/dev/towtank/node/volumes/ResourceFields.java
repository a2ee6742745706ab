package dev.towtank.node.volumes;

import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.ResourceLists;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/// Requests and limits of a container as its processes can see them.
public final class ResourceFields {

    private ResourceFields() {}

    /// @param container whose variable or file it is; the reference may name another one of the pod
    /// @param reference a `resourceFieldRef`
    public static String value(Resource pod, Json.Obj container, Json.Obj reference, NodeValues node) {
        var other = reference.string("containerName");
        var meant = other.isEmpty() ? container : named(pod, other);
        var resource = reference.string("resource");
        int dot = resource.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("unsupported container resource : " + resource);
        }
        var list = resource.substring(0, dot);
        var name = resource.substring(dot + 1);
        var amount = amount(meant, list, name, node);
        var divisor = ResourceLists.quantity(reference.get("divisor"))
                .filter(by -> !by.isZero())
                .orElse(Quantity.of(1));
        return amount.amount()
                .divide(divisor.amount(), 0, RoundingMode.CEILING)
                .max(BigDecimal.ZERO)
                .toBigInteger()
                .toString();
    }

    private static Json.Obj named(Resource pod, String name) {
        for (var list : List.of("containers", "initContainers")) {
            for (var container : pod.spec().objects(list)) {
                if (container.string("name").equals(name)) {
                    return container;
                }
            }
        }
        throw new IllegalArgumentException("container " + name + " not found");
    }

    private static Quantity amount(Json.Obj container, String list, String name, NodeValues node) {
        if (!list.equals("limits") && !list.equals("requests")) {
            throw new IllegalArgumentException("unsupported container resource : " + list + "." + name);
        }
        Optional<Quantity> said = ResourceLists.quantity(container.at("resources", list, name));
        // Without a limit, all of the node is.
        return said.orElseGet(() ->
                list.equals("limits") ? node.allocatable().getOrDefault(name, Quantity.ZERO) : Quantity.ZERO);
    }
}
