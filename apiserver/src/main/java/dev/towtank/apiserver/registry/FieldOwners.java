package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.registry.Modification.Part;
import dev.towtank.model.Json;
import dev.towtank.model.apply.FieldSet;
import dev.towtank.model.apply.Ownership;
import dev.towtank.model.apply.Writer;
import dev.towtank.model.kinds.core.Namespaces;
import java.time.Instant;
import java.util.List;

/// Keeps account of who wrote which field of an object, in its `metadata.managedFields`.
final class FieldOwners {

    private static final FieldSet STATUS = FieldSet.ofFields("status");

    private FieldOwners() {}

    /// @param given what the client sent of it
    static Json.Obj created(Call call, Served served, Json.Obj object, Json.Obj given, Instant now) {
        var written = served.kind().rules().asCreated(object, given);
        return withOwnersOf(
                object,
                ownership(served, Part.OBJECT, written).update(Json.Obj.EMPTY, written, writer(call, served), now));
    }

    /// An object with the owners of another one.
    static Json.Obj withOwnersOf(Json.Obj object, Json.Obj other) {
        var path = List.of("metadata", "managedFields");
        var owners = other.at("metadata", "managedFields");
        return owners == null ? object.without(path) : object.with(path, owners);
    }

    static Json.Obj updated(Call call, Served served, Part part, Json.Obj object, Json.Obj old, Instant now) {
        return ownership(served, part, object).update(old, object, writer(call, served), now);
    }

    /// What becomes of an object when the caller applies a configuration to it.
    ///
    /// @param live empty where there is none yet
    static Json.Obj applied(Call call, Served served, Part part, Json.Obj applied, Json.Obj live, Instant now) {
        boolean force = call.params().flag("force");
        return ownership(served, part, applied).apply(live, applied, writer(call, served), force, now);
    }

    private static Writer writer(Call call, Served served) {
        return new Writer(
                call.fieldManager(), served.kind().apiVersion(), call.target().subresource());
    }

    // A write of one part comes to own nothing of the other.
    private static Ownership ownership(Served served, Part part, Json.Obj written) {
        var versions = served.versions();
        return switch (part) {
            case OBJECT ->
                served.kind().hasStatus() ? new Ownership(versions, nobodys(served)) : new Ownership(versions);
            case STATUS -> new Ownership(versions, allButStatus(served, written));
            case EPHEMERAL_CONTAINERS, RESIZE, EVERYTHING -> new Ownership(versions);
        };
    }

    // The finalizers of a namespace are the server's.
    private static FieldSet nobodys(Served served) {
        return served.kind().resource().equals(Namespaces.KIND.resource())
                ? STATUS.union(FieldSet.ofFields("spec"))
                : STATUS;
    }

    private static FieldSet allButStatus(Served served, Json.Obj object) {
        // What every version may have, whatever this object does.
        var set = FieldSet.ofFields("spec");
        for (var field : served.kind().rules().metadataUnownedByStatus()) {
            set = set.union(FieldSet.ofFields("metadata", field));
        }
        for (var field : object.keys()) {
            if (!field.equals("status") && !field.equals("metadata")) {
                set = set.union(FieldSet.ofFields(field));
            }
        }
        return set;
    }
}
