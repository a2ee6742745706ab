package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.settings.Defaults;
import dev.towtank.model.Json;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Specs that were found to have all their defaults. A run is written many times with the same spec, which may be
/// large;
/// trees are shared and never change, so one look at each is enough.
final class CompleteSpecs {

    private static final int KEPT = 256;

    private record Entry(Defaults defaults, WeakReference<Json.Obj> spec) {}

    private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(KEPT);
    private final AtomicInteger next = new AtomicInteger();

    boolean contains(Json.Obj spec, Defaults defaults) {
        for (int i = 0; i < KEPT; i++) {
            var entry = entries.get(i);
            if (entry != null && entry.spec.refersTo(spec) && entry.defaults.equals(defaults)) {
                return true;
            }
        }
        return false;
    }

    void add(Json.Obj spec, Defaults defaults) {
        entries.set(Math.floorMod(next.getAndIncrement(), KEPT), new Entry(defaults, new WeakReference<>(spec)));
    }
}
