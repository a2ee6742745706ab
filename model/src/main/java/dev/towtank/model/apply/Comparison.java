package dev.towtank.model.apply;

import dev.towtank.model.Json;
import dev.towtank.model.apply.FieldSet.Place;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What changed from one object to another.
record Comparison(FieldSet added, FieldSet modified, FieldSet removed) {

    static Comparison of(Json.Obj old, Json.Obj changed, Shape shape) {
        var walk = new Walk();
        walk.compareParts(old, changed, shape, null);
        return new Comparison(walk.added.build(), walk.modified.build(), walk.removed.build());
    }

    FieldSet written() {
        return added.union(modified);
    }

    FieldSet all() {
        return written().union(removed);
    }

    Comparison without(FieldSet ignored) {
        return ignored.isEmpty()
                ? this
                : new Comparison(
                        added.recursiveDifference(ignored),
                        modified.recursiveDifference(ignored),
                        removed.recursiveDifference(ignored));
    }

    private static final class Walk {
        private final FieldSet.Builder added = new FieldSet.Builder();
        private final FieldSet.Builder modified = new FieldSet.Builder();
        private final FieldSet.Builder removed = new FieldSet.Builder();

        @SuppressWarnings("ReferenceEquality") // most of an object is shared with its older version
        private void compare(Json old, Json changed, Shape shape, Place place) {
            if (old == changed) {
                return;
            }
            boolean hadParts = hasParts(old, shape);
            boolean hasParts = hasParts(changed, shape);
            if (!hadParts && !hasParts) {
                if (!old.equals(changed)) {
                    modified.add(place);
                }
                return;
            }
            if ((!hadParts && !isHollow(old, shape)) || (!hasParts && !isHollow(changed, shape))) {
                modified.add(place);
            }
            compareParts(old, changed, shape, place);
        }

        private void compareParts(Json old, Json changed, Shape shape, @Nullable Place place) {
            if (shape instanceof Shape.Granular granular) {
                compareFields(object(old), object(changed), granular, place);
            } else {
                compareItems(old, changed, shape, place);
            }
        }

        private void compareFields(Json.Obj old, Json.Obj changed, Shape.Granular shape, @Nullable Place place) {
            var zeros = shape.zeros();
            changed.forEach((key, value) -> {
                var before = old.get(key);
                compareOrAdd(before == null ? zeros.get(key) : before, value, shape, key, place);
            });
            old.forEach((key, value) -> {
                if (!changed.has(key)) {
                    var here = new Place(place, new PathStep.Field(key));
                    var zero = zeros.get(key);
                    if (zero == null) {
                        collect(value, shape.entry(key), here, removed);
                    } else {
                        compare(value, zero, shape.entry(key), here);
                    }
                }
            });
        }

        private void compareOrAdd(
                @Nullable Json before, Json value, Shape.Granular shape, String key, @Nullable Place place) {
            var here = new Place(place, new PathStep.Field(key));
            if (before == null) {
                collect(value, shape.entry(key), here, added);
            } else {
                compare(before, value, shape.entry(key), here);
            }
        }

        private void compareItems(Json old, Json changed, Shape shape, @Nullable Place place) {
            var before = Items.grouped(old, shape);
            var after = Items.grouped(changed, shape);
            var steps = new LinkedHashSet<>(before.keySet());
            steps.addAll(after.keySet());
            for (var step : steps) {
                compareTwins(
                        before.getOrDefault(step, List.of()),
                        after.getOrDefault(step, List.of()),
                        shape.at(step),
                        new Place(place, step));
            }
        }

        /// Items that cannot be told apart are owned together; nothing inside them is owned.
        private void compareTwins(List<Json> old, List<Json> changed, Shape element, Place place) {
            if (old.size() == 1 && changed.size() == 1) {
                compare(old.getFirst(), changed.getFirst(), element, place);
            } else if (old.size() > 1 && changed.size() > 1) {
                if (!old.equals(changed)) {
                    modified.add(place);
                }
            } else {
                collectTwins(old, element, place, removed);
                collectTwins(changed, element, place, added);
            }
        }

        private static void collectTwins(List<Json> twins, Shape element, Place place, FieldSet.Builder into) {
            if (twins.size() == 1) {
                collect(twins.getFirst(), element, place, into);
            } else if (!twins.isEmpty()) {
                into.add(place);
            }
        }

        /// A value that came or went with all there is in it.
        private static void collect(Json value, Shape shape, Place place, FieldSet.Builder into) {
            into.add(place);
            if (!hasParts(value, shape)) {
                return;
            }
            if (shape instanceof Shape.Granular granular && value instanceof Json.Obj object) {
                object.forEach((key, inner) ->
                        collect(inner, granular.entry(key), new Place(place, new PathStep.Field(key)), into));
                granular.zeros().forEach((key, zero) -> {
                    if (!object.has(key)) {
                        into.add(new Place(place, new PathStep.Field(key)));
                    }
                });
            } else {
                Items.grouped(value, shape)
                        .forEach((step, twins) -> collectTwins(twins, shape.at(step), new Place(place, step), into));
            }
        }

        private static boolean hasParts(Json value, Shape shape) {
            return shape.divides(value) && !value.isEmpty();
        }

        private static boolean isHollow(Json value, Shape shape) {
            return value instanceof Json.Null || shape.divides(value);
        }

        private static Json.Obj object(Json value) {
            return value instanceof Json.Obj object ? object : Json.Obj.EMPTY;
        }
    }
}
