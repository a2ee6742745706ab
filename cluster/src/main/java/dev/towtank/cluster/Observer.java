package dev.towtank.cluster;

import dev.towtank.model.Kind;

/// Something that sees every change of a kind and decides nothing: it counts, or tells others.
///
/// @param handler is told on the thread that reads changes, so it hands work over and returns
/// @param end when nothing more comes
public record Observer(Kind<?> kind, Informer.Handler handler, Runnable end) {

    public static Observer of(Kind<?> kind, Informer.Handler handler) {
        return new Observer(kind, handler, () -> {});
    }
}
