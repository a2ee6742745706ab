package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.Call;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import org.jspecify.annotations.Nullable;

/// A write under review.
///
/// @param object what shall be stored, or null for a deletion
/// @param old what is stored, or null for a creation
public record Review(
        Call call,
        Kind<?> kind,
        Operation operation,
        String namespace,
        String name,
        String subresource,
        Json.@Nullable Obj object,
        Json.@Nullable Obj old) {

    public enum Operation {
        CREATE,
        UPDATE,
        DELETE
    }

    public boolean isKind(Kind<?> other) {
        return kind.group().equals(other.group()) && kind.kind().equals(other.kind());
    }
}
