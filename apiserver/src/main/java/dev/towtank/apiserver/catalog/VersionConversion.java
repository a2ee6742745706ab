package dev.towtank.apiserver.catalog;

import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Conversion;
import dev.towtank.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/// One served version of a custom kind.
///
/// An object is stored in the version that was the storage version when it was last written, and as complete as the
/// schema of that time made it. What the schema says today is done when the object is read.
final class VersionConversion implements Conversion {

    private final CustomVersions versions;
    private final String served;
    private final long definedAt;
    private final byte[] beginning;
    private final ConvertedObjects converted = new ConvertedObjects();
    // Those from before the definition's last change that it makes no difference to.
    private final Set<Content> unaffected = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /// @param served the version that users see here
    /// @param definedAt the revision of the definition
    VersionConversion(CustomVersions versions, String served, long definedAt) {
        this.versions = versions;
        this.served = served;
        this.definedAt = definedAt;
        this.beginning = ("{\"apiVersion\":" + Json.of(served) + ",").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean isStoredVersion() {
        return served.equals(versions.stored());
    }

    @Override
    public boolean mayWait() {
        return versions.converter().mayWait() && !isStoredVersion();
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
        return object.string("apiVersion").equals(versions.stored()) && isComplete(object);
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
        return versions.converter().mayWait()
                ? converted.get(complete, unknown -> versions.convert(unknown, served))
                : versions.convert(complete, served);
    }

    @Override
    public Json.Obj toStored(Json.Obj object) {
        return versions.convert(List.of(object), versions.stored()).getFirst();
    }

    private Json.Obj complete(Json.Obj object) {
        return revision(object) > definedAt ? object : versions.complete(object);
    }

    private static long revision(Json.Obj object) {
        var text = object.string("metadata", "resourceVersion");
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }
}
