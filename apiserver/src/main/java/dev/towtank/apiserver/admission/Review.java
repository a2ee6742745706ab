package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.Call;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
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
        DELETE,
        /// Opens a connection to what an object stands for, such as a shell in a pod; the object is its options.
        CONNECT
    }

    public boolean isKind(Kind<?> other) {
        return isKind(other.group(), other.kind());
    }

    public boolean isKind(String group, String otherKind) {
        return kind.group().equals(group) && kind.kind().equals(otherKind);
    }

    /// Whether an object of this kind itself is written, not one of its subresources.
    public boolean isWholeObject(String group, String otherKind) {
        return subresource.isEmpty() && isKind(group, otherKind);
    }

    public LogicalCluster cluster() {
        return call.cluster();
    }

    /// A refusal in the words that Kubernetes puts before every reason: `pods "x" is forbidden: …`.
    public StatusError forbidden(String why) {
        return StatusError.forbidden(kind.resource(), shownName(), why);
    }

    // Names that the server makes up do not exist yet when the rules are asked.
    private String shownName() {
        if (!name.isEmpty()) {
            return name;
        }
        var metadata = object == null ? Json.Obj.EMPTY : object.object("metadata");
        if (!metadata.string("name").isEmpty()) {
            return metadata.string("name");
        }
        return metadata.string("generateName").isEmpty() ? "Unknown" : metadata.string("generateName");
    }
}
