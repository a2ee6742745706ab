package dev.towtank.model.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a function was called with. The types have been checked against its parameters.
public final class Arguments {
    private final @Nullable Object[] values;
    private final Render render;

    Arguments(@Nullable Object[] values, Render render) {
        this.values = values;
        this.render = render;
    }

    /// The render that calls: its bounds, and its other templates.
    public Render render() {
        return render;
    }

    public int size() {
        return values.length;
    }

    public @Nullable Object any(int index) {
        return Boxed.open(values[index]);
    }

    // As held: a nil in an interface, or no value.
    @Nullable
    Object raw(int index) {
        return values[index];
    }

    public String string(int index) {
        return (String) Objects.requireNonNull(values[index]);
    }

    public long integer(int index) {
        return switch (Objects.requireNonNull(values[index])) {
            case Long number -> number;
            case SizedInteger number -> number.value();
            default -> throw new IllegalStateException("the parameter is no integer");
        };
    }

    public double real(int index) {
        return (Double) Objects.requireNonNull(values[index]);
    }

    public boolean bool(int index) {
        return (Boolean) Objects.requireNonNull(values[index]);
    }

    /// A map; nil is an empty one, which must not be written to.
    @SuppressWarnings("unchecked")
    public Map<String, @Nullable Object> map(int index) {
        var value = any(index);
        return value == null ? Collections.emptyMap() : (Map<String, @Nullable Object>) value;
    }

    @SuppressWarnings("unchecked")
    public List<@Nullable Object> list(int index) {
        var value = any(index);
        return value == null ? List.of() : (List<@Nullable Object>) value;
    }

    /// All from one on.
    public List<@Nullable Object> from(int index) {
        var rest = new ArrayList<@Nullable Object>(values.length);
        for (int i = index; i < values.length; i++) {
            rest.add(Boxed.open(values[i]));
        }
        return rest;
    }
}
