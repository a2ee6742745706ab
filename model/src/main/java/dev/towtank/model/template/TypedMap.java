package dev.towtank.model.template;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A Go map from string to something else than `interface {}`, such as `map[string]string`. Its missing keys have a
/// zero value, which is
/// not nil.
public final class TypedMap extends TreeMap<String, @Nullable Object> {
    private static final long serialVersionUID = 1;

    private final String type;
    private final transient @Nullable Object zero;

    public TypedMap(String type, @Nullable Object zero, Map<String, ?> entries) {
        this.type = type;
        this.zero = zero;
        putAll(entries);
    }

    public static TypedMap strings(Map<String, String> entries) {
        return new TypedMap("map[string]string", "", entries);
    }

    /// The type that Helm and its like give to a map of anything, such as `chartutil.Values`.
    public static TypedMap named(String type, Map<String, ?> entries) {
        return new TypedMap(type, null, entries);
    }

    public String type() {
        return type;
    }

    @Nullable
    Object zero() {
        return zero;
    }

    /// Whether a name is the method that Helm gives its maps of values: `.Values.AsMap`.
    boolean hasPlainView(String name) {
        return isOfAnything() && name.equals("AsMap");
    }

    /// The same map without its type; what is set in it is set here.
    Map<String, @Nullable Object> plain() {
        return Collections.synchronizedMap(this);
    }

    /// True when the elements are `interface {}`, so that functions which want a map of anything take it.
    public boolean isOfAnything() {
        return zero == null;
    }
}
