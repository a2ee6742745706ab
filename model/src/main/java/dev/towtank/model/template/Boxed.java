package dev.towtank.model.template;

import org.jspecify.annotations.Nullable;

/// A value that Go holds as an `interface {}`, as the elements of maps and lists are. It is told apart from the bare
/// value because nil
/// in an interface and no value at all behave differently, and because messages name the type.
record Boxed(@Nullable Object value) {
    static final Boxed NIL = new Boxed(null);

    static Boxed of(@Nullable Object value) {
        return value == null ? NIL : new Boxed(value);
    }

    /// The thing inside, however it is held.
    static @Nullable Object open(@Nullable Object value) {
        return value instanceof Boxed(var inside) ? inside : value;
    }
}
