package dev.towtank.model.apply;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What ownership does to objects: naming the fields that are there, merging, removing.
final class OwnedTrees {

    private OwnedTrees() {}

    /// The fields that somebody who applies this object owns.
    static FieldSet fields(Json.Obj object, Shape shape) {
        var set = new FieldSet.Builder();
        collect(object, shape, set);
        return set.build();
    }

    private static void collect(Json value, Shape shape, FieldSet.Builder set) {
        if (!shape.divides(value)) {
            set.add();
        } else if (shape instanceof Shape.Granular granular && value instanceof Json.Obj object) {
            object.forEach((key, inner) -> {
                var at = set.at(new PathStep.Field(key));
                collect(inner, granular.entry(key), at);
                boolean hollow = inner instanceof Json.Null || (inner instanceof Json.Obj obj && obj.size() == 0);
                if (hollow || !granular.isField(key)) {
                    at.add();
                }
            });
        } else {
            Items.grouped(value, shape).forEach((step, twins) -> {
                var at = set.at(step);
                at.add();
                if (twins.size() == 1) {
                    collect(twins.getFirst(), shape.at(step), at);
                }
            });
        }
    }

    /// The live object with the applied configuration laid over it: what is applied wins, what is not stays.
    static Json.Obj merge(Json.Obj live, Json.Obj applied, Shape shape) {
        return merge((Json) live, applied, shape) instanceof Json.Obj merged ? merged : applied;
    }

    static Json merge(@Nullable Json live, Json applied, Shape shape) {
        if (live == null || !shape.divides(live)) {
            return applied;
        }
        if (applied instanceof Json.Null && !live.isEmpty()) {
            return live;
        }
        if (live instanceof Json.Obj mine && applied instanceof Json.Obj theirs) {
            var builder = mine.toBuilder();
            theirs.forEach(
                    (key, value) -> builder.put(key, merge(mine.get(key), value, shape.at(new PathStep.Field(key)))));
            return builder.build();
        }
        return live instanceof Json.Arr mine && applied instanceof Json.Arr theirs
                ? new ListMerge(mine, theirs, shape).merged()
                : applied;
    }

    /// The object without the fields of a set, and without what becomes empty by that.
    static Json.Obj remove(Json.Obj object, FieldSet set, Shape shape) {
        return remove((Json) object, set, shape) instanceof Json.Obj rest ? rest : Json.Obj.EMPTY;
    }

    private static @Nullable Json remove(Json value, FieldSet set, Shape shape) {
        if (set.isEmpty() || value.isEmpty() || !shape.divides(value)) {
            return value;
        }
        return value instanceof Json.Obj object
                ? removeFields(object, set, shape)
                : value instanceof Json.Arr list ? removeItems(list, set, shape) : value;
    }

    private static @Nullable Json removeFields(Json.Obj object, FieldSet set, Shape shape) {
        var kept = Json.Obj.builder();
        object.forEach((key, value) -> {
            var step = new PathStep.Field(key);
            var rest = set.has(step) ? null : remove(value, set.below(step), shape.at(step));
            if (rest != null) {
                kept.put(key, rest);
            }
        });
        var rest = kept.build();
        return rest.size() == 0 ? null : rest;
    }

    private static @Nullable Json removeItems(Json.Arr list, FieldSet set, Shape shape) {
        var kept = new ArrayList<Json>();
        for (var item : Items.of(list, shape)) {
            var step = item.step();
            var rest = set.has(step) ? null : remove(item.value(), set.below(step), shape.at(step));
            if (rest != null) {
                kept.add(rest);
            }
        }
        return kept.isEmpty() ? null : new Json.Arr(kept);
    }

    /// What keeps an object from being applied, in the words of Kubernetes.
    static List<String> problems(Json.Obj applied, Shape shape) {
        var problems = new ArrayList<String>();
        check(applied, shape, "", problems);
        return problems;
    }

    private static void check(Json value, Shape shape, String path, List<String> problems) {
        if (shape instanceof Shape.Atomic(var inside)) {
            checkInside(value, inside, path, problems);
            return;
        }
        if (!shape.divides(value)) {
            return;
        }
        if (shape instanceof Shape.Granular granular && value instanceof Json.Obj object) {
            object.forEach((key, inner) -> {
                if (granular.allows(key)) {
                    check(inner, granular.entry(key), path + "." + key, problems);
                } else {
                    problems.add(path + "." + key + ": field not declared in schema");
                }
            });
        } else if (value instanceof Json.Arr list) {
            Items.problems(list, shape).forEach(problem -> problems.add(path + ": " + problem));
            Items.of(list, shape)
                    .forEach(item -> check(item.value(), shape.at(item.step()), path + item.step(), problems));
        }
    }

    private static void checkInside(Json value, Shape inside, String path, List<String> problems) {
        switch (value) {
            case Json.Arr list -> {
                for (int i = 0; i < list.size(); i++) {
                    check(list.get(i), inside, path + "[" + i + "]", problems);
                }
            }
            case Json.Obj object -> check(object, inside, path, problems);
            default -> {}
        }
    }
}
