package dev.towtank.apiserver.catalog;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.apply.Shape;
import dev.towtank.model.apply.Versions;
import dev.towtank.model.crd.CompiledSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// All versions of a custom kind, served or not, and the way from one to another.
///
/// @param versions by name with the group
/// @param stored the version in which objects are kept now
record CustomVersions(VersionConverter converter, Map<String, Version> versions, String stored) implements Versions {

    /// What a version has of its own, each worked out when it is first needed.
    record Version(Supplier<CompiledSchema> schema, Supplier<Shape> shape) {}

    CustomVersions {
        versions = Map.copyOf(versions);
    }

    @Override
    public Optional<Shape> shape(String apiVersion) {
        return Optional.ofNullable(versions.get(apiVersion))
                .map(version -> version.shape().get());
    }

    /// By way of the stored version: who converts for Kubernetes is never asked for a way that leaves it out.
    @Override
    public Json.Obj convert(Json.Obj object, String apiVersion) {
        return convert(convert(List.of(object), stored), apiVersion).getFirst();
    }

    /// The same objects in the same order; one that is in that version already is the very same.
    List<Json.Obj> convert(List<Json.Obj> objects, String apiVersion) {
        var foreign = new ArrayList<Json.Obj>();
        for (var object : objects) {
            if (!object.string("apiVersion").equals(apiVersion)) {
                schema(object.string("apiVersion"), "from");
                foreign.add(object);
            }
        }
        if (foreign.isEmpty()) {
            return objects;
        }
        var schema = schema(apiVersion, "to");
        var results = converter.convert(foreign, apiVersion).iterator();
        var all = new ArrayList<Json.Obj>(objects.size());
        for (var object : objects) {
            all.add(
                    object.string("apiVersion").equals(apiVersion)
                            ? object
                            : Metadata.ordered(pruned(results.next(), schema)));
        }
        return all;
    }

    /// An object with what the schema of its version says today.
    Json.Obj complete(Json.Obj object) {
        var schema = schema(object.string("apiVersion"), "from");
        return schema.defaults(pruned(object, schema));
    }

    // What was accepted once is not refused now: what it is not to have, a write will tell.
    private static Json.Obj pruned(Json.Obj object, CompiledSchema schema) {
        try {
            return schema.prune(object, _ -> {});
        } catch (StatusError e) {
            return object;
        }
    }

    private CompiledSchema schema(String apiVersion, String direction) {
        var version = versions.get(apiVersion);
        if (version == null) {
            throw new StatusError(
                    StatusError.Reason.UNKNOWN,
                    "request to convert CR " + direction + " an invalid group/version: " + apiVersion);
        }
        return version.schema().get();
    }
}
