package dev.towtank.cluster;

import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.function.Function;

/// Which primary objects want a look when an object of another kind changes.
///
/// @param wakes is asked about the object before and after the change
public record Trigger(Kind<?> kind, Function<Resource, List<ObjectName>> wakes) {

    public static Trigger of(Kind<?> kind, Function<Resource, List<ObjectName>> wakes) {
        return new Trigger(kind, wakes);
    }

    /// Objects that name a primary object as their controller wake it.
    public static Trigger owned(Kind<?> kind, Kind<?> owner) {
        return new Trigger(
                kind,
                child -> child.controller()
                        .filter(reference -> reference.kind().equals(owner.kind())
                                && reference.group().equals(owner.group()))
                        .map(reference -> new ObjectName(
                                child.cluster(), owner.isNamespaced() ? child.namespace() : "", reference.name()))
                        .map(List::of)
                        .orElse(List.of()));
    }
}
