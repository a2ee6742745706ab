package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Conversion;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.CompiledSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/// One served version of a custom kind.
///
/// An object is stored in the version that was the storage version when it was last written, and as complete as the
/// schema of that time made it. What the schema says today is done when the object is read.
final class VersionConversion implements Conversion {

    private final VersionConverter converter;
    private final Map<String, Supplier<CompiledSchema>> schemas;
    private final String served;
    private final String stored;
    private final long definedAt;
    private final byte[] beginning;
    private final ConvertedObjects converted = new ConvertedObjects();
    // Those from before the definition's last change that it makes no difference to.
    private final Set<Content> unaffected = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /// @param schemas by version with its group, of all versions
    /// @param served the version that users see here
    /// @param stored the one in which objects are kept now
    /// @param definedAt the revision of the definition
    VersionConversion(
            VersionConverter converter,
            Map<String, Supplier<CompiledSchema>> schemas,
            String served,
            String stored,
            long definedAt) {
        this.converter = converter;
        this.schemas = Map.copyOf(schemas);
        this.served = served;
        this.stored = stored;
        this.definedAt = definedAt;
        this.beginning = ("{\"apiVersion\":" + Json.of(served) + ",").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean isStoredVersion() {
        return served.equals(stored);
    }

    @Override
    public boolean mayWait() {
        return converter.mayWait() && !isStoredVersion();
    }

    // Looking at the first bytes spares the parsing of everything that is listed.
    @Override
    public boolean keeps(Content object, long revision) {
        var bytes = object.bytes();
        boolean sameVersion = bytes.length > beginning.length
                && Arrays.equals(bytes, 0, beginning.length, beginning, 0, beginning.length);
        if (!sameVersion) {
            return false;
        }
        if (revision > definedAt || unaffected.contains(object)) {
            return true;
        }
        boolean kept = isComplete(object.tree());
        if (kept) {
            unaffected.add(object);
        }
        return kept;
    }

    @Override
    public boolean isCurrent(Json.Obj object) {
        return object.string("apiVersion").equals(stored) && isComplete(object);
    }

    @SuppressWarnings("ReferenceEquality") // what a schema leaves alone is the very same
    private boolean isComplete(Json.Obj object) {
        return complete(object) == object;
    }

    @Override
    public Json.Obj fromStored(Json.Obj object) {
        return fromStored(List.of(object)).getFirst();
    }

    @Override
    public List<Json.Obj> fromStored(List<Json.Obj> objects) {
        var complete = objects.stream().map(this::complete).toList();
        return converter.mayWait()
                ? converted.get(complete, unknown -> convert(unknown, served))
                : convert(complete, served);
    }

    @Override
    public Json.Obj toStored(Json.Obj object) {
        return convert(List.of(object), stored).getFirst();
    }

    private Json.Obj complete(Json.Obj object) {
        if (revision(object) > definedAt) {
            return object;
        }
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

    private static long revision(Json.Obj object) {
        var text = object.string("metadata", "resourceVersion");
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    private CompiledSchema schema(String apiVersion, String direction) {
        var schema = schemas.get(apiVersion);
        if (schema == null) {
            throw new StatusError(
                    StatusError.Reason.UNKNOWN,
                    "request to convert CR " + direction + " an invalid group/version: " + apiVersion);
        }
        return schema.get();
    }

    private List<Json.Obj> convert(List<Json.Obj> objects, String apiVersion) {
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
}
