package dev.towtank.apiserver;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Schemas;
import dev.towtank.model.apply.BuiltinShapes;
import dev.towtank.model.apply.CustomShapes;
import dev.towtank.model.apply.Shape;
import dev.towtank.model.apply.Versions;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The shape of a kind, worked out at the first write: most kinds of a cluster are never written.
public final class LazyShape implements Supplier<Shape> {

    private final Supplier<Shape> source;
    // Two threads may work it out at once; both results are right, and either may stay.
    private volatile @Nullable Shape shape;

    private LazyShape(Supplier<Shape> source) {
        this.source = source;
    }

    /// Of a built-in kind; one without a schema has fields of any kind.
    public static LazyShape builtin(Kind<?> kind) {
        return new LazyShape(() -> Schemas.builtin()
                .find(kind.apiVersion(), kind.kind())
                .map(BuiltinShapes::of)
                .orElseGet(() -> CustomShapes.of(Json.Obj.EMPTY)));
    }

    /// A built-in kind that has a single version.
    static Versions only(Kind<?> kind) {
        return Versions.only(kind.apiVersion(), builtin(kind));
    }

    public static LazyShape custom(Supplier<Json.Obj> schema) {
        return new LazyShape(() -> CustomShapes.of(schema.get()));
    }

    @Override
    public Shape get() {
        var known = shape;
        if (known == null) {
            known = source.get();
            shape = known;
        }
        return known;
    }
}
