package dev.towtank.model.template;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A Go struct, or anything else with methods, as a template sees it: fields and methods by name.
public interface GoObject {

    /// What stands behind a dot and a name.
    sealed interface Member {}

    record Field(@Nullable Object value) implements Member {}

    record Method(Function function) implements Member {}

    /// The type in messages, such as `chartutil.Capabilities`.
    String type();

    /// What `kindOf` says.
    default String kind() {
        return "struct";
    }

    /// The field or method of a name, or null where there is none.
    @Nullable
    Member member(String name);

    /// What `{{ . }}` prints.
    String text();

    /// What `toYaml` and `toJson` see.
    default @Nullable Object data() {
        return text();
    }

    /// The list or map that `range`, `len`, `index` and conditions see; empty where this is nothing but a struct.
    default Optional<Object> elements() {
        return Optional.empty();
    }
}
