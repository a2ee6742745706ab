package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// An object under construction, with the names it had before: patches and references may still use those.
///
/// @param former ids, the first one first
/// @param affixes prefixes and suffixes it was given, to tell apart two that once had the same name
/// @param isHashed whether its name ends with a hash of its content
/// @param vars names of the variables whose values it has
/// @param origin where it comes from, for those who want to know
record Item(
        Json.Obj object, List<Id> former, List<String> affixes, boolean isHashed, List<String> vars, Json.Obj origin) {

    static Item of(Json.Obj object, boolean isHashed, Json.Obj origin) {
        return new Item(object, List.of(), List.of(), isHashed, List.of(), origin);
    }

    Id id() {
        return Id.of(object);
    }

    Id original() {
        return former.isEmpty() ? id() : former.getFirst();
    }

    Stream<Id> ids() {
        return Stream.concat(former.stream(), Stream.of(id()));
    }

    Item with(Json.Obj changed) {
        return changed.equals(object) ? this : new Item(changed, former, affixes, isHashed, vars, origin);
    }

    Item edit(UnaryOperator<Json.Obj> change) {
        return with(change.apply(object));
    }

    /// Changes the name or the namespace, and remembers the old ones.
    Item moved(Json.Obj changed) {
        var before = id();
        if (before.equals(Id.of(changed))) {
            return with(changed);
        }
        var known = new ArrayList<>(former);
        known.add(before);
        return new Item(changed, List.copyOf(known), affixes, isHashed, vars, origin);
    }

    Item affixed(String affix) {
        var more = new ArrayList<>(affixes);
        more.add(affix);
        return new Item(object, former, List.copyOf(more), isHashed, vars, origin);
    }

    Item hashed(boolean hashed) {
        return new Item(object, former, affixes, hashed, vars, origin);
    }

    Item from(Json.Obj other) {
        return new Item(object, former, affixes, isHashed, vars, other);
    }

    /// Has the value of a variable.
    Item meant(String variable) {
        var more = new ArrayList<>(vars);
        more.add(variable);
        return new Item(object, former, affixes, isHashed, List.copyOf(more), origin);
    }
}
