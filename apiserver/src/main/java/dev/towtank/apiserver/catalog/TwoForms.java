package dev.towtank.apiserver.catalog;

import dev.towtank.apiserver.Conversion;
import dev.towtank.apiserver.LazyShape;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.apply.Shape;
import dev.towtank.model.apply.Versions;
import dev.towtank.model.kinds.BuiltinKinds;
import dev.towtank.model.kinds.autoscaling.AutoscalerConversion;
import dev.towtank.model.kinds.events.EventConversion;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// A built-in kind that is served in two forms, of which one is stored.
///
/// @param shapes by group and version
/// @param stored the group and version of the stored form
record TwoForms(
        Map<String, LazyShape> shapes,
        String stored,
        UnaryOperator<Json.Obj> toStored,
        UnaryOperator<Json.Obj> fromStored)
        implements Versions {

    /// Events have two groups in place of two versions.
    static final TwoForms EVENTS = of("events", "v1", EventConversion::toCore, EventConversion::fromCore);

    static final TwoForms AUTOSCALERS = of(
            "horizontalpodautoscalers",
            "autoscaling/v2",
            AutoscalerConversion::toStored,
            AutoscalerConversion::fromStored);

    TwoForms {
        shapes = Map.copyOf(shapes);
    }

    private static TwoForms of(
            String plural, String stored, UnaryOperator<Json.Obj> toStored, UnaryOperator<Json.Obj> fromStored) {
        var shapes = BuiltinKinds.ALL.stream()
                .filter(kind -> kind.plural().equals(plural))
                .collect(Collectors.toMap(Kind::apiVersion, LazyShape::builtin));
        return new TwoForms(shapes, stored, toStored, fromStored);
    }

    @Override
    public Optional<Shape> shape(String apiVersion) {
        return Optional.ofNullable(shapes.get(apiVersion)).map(LazyShape::get);
    }

    @Override
    public Json.Obj convert(Json.Obj object, String apiVersion) {
        return apiVersion.equals(stored) ? toStored.apply(object) : fromStored.apply(object);
    }

    /// How a kind that is one of the two is read from and written to the other.
    Conversion conversion(Kind<?> kind) {
        return kind.apiVersion().equals(stored) ? Conversion.NONE : new Converting(this);
    }

    private record Converting(TwoForms forms) implements Conversion {
        @Override
        public Json.Obj fromStored(Json.Obj object) {
            return forms.fromStored.apply(object);
        }

        @Override
        public Json.Obj toStored(Json.Obj served) {
            return forms.toStored.apply(served);
        }
    }
}
