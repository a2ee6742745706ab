package dev.towtank.model.template;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The functions that a template may call, by name, beyond those that every template has.
public final class Functions {
    public static final Functions NONE = new Functions(Map.of());

    private final Map<String, Function> byName;

    private Functions(Map<String, Function> byName) {
        this.byName = byName;
    }

    public static Builder builder() {
        return new Builder();
    }

    /// These and others, of which the others count where both have a name.
    public Functions and(Functions others) {
        var all = new HashMap<>(byName);
        all.putAll(others.byName);
        return new Functions(all);
    }

    public Functions without(String... names) {
        var fewer = new HashMap<>(byName);
        fewer.keySet().removeAll(Set.of(names));
        return new Functions(fewer);
    }

    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }

    boolean has(String name) {
        return byName.containsKey(name) || Builtins.ALL.byName.containsKey(name);
    }

    @Nullable
    Function find(String name) {
        var own = byName.get(name);
        return own != null ? own : Builtins.ALL.byName.get(name);
    }

    // A function of somebody else's does not cut its arguments short, whatever its name.
    boolean isBuiltin(String name) {
        return !byName.containsKey(name);
    }

    public static final class Builder {
        private final Map<String, Function> byName = new HashMap<>();

        private Builder() {}

        public Builder add(String name, Function.Body body, GoType... parameters) {
            byName.put(name, Function.of(body, parameters));
            return this;
        }

        /// Adds a function whose last parameter may be given any number of times.
        public Builder addVariadic(String name, Function.Body body, GoType... parameters) {
            byName.put(name, Function.variadic(body, parameters));
            return this;
        }

        public Functions build() {
            return new Functions(Map.copyOf(byName));
        }
    }
}
