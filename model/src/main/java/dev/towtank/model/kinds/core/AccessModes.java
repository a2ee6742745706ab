package dev.towtank.model.kinds.core;

import dev.towtank.model.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// Access modes of volumes in the short form of tables.
final class AccessModes {

    private static final Map<String, String> SHORT = new LinkedHashMap<>();

    static {
        SHORT.put("ReadWriteOnce", "RWO");
        SHORT.put("ReadOnlyMany", "ROX");
        SHORT.put("ReadWriteMany", "RWX");
        SHORT.put("ReadWriteOncePod", "RWOP");
    }

    private AccessModes() {}

    static String shortened(Json.Arr modes) {
        var named = modes.strings();
        return SHORT.entrySet().stream()
                .filter(mode -> named.contains(mode.getKey()))
                .map(Map.Entry::getValue)
                .collect(Collectors.joining(","));
    }

    /// The storage class: once an annotation, now a field.
    static String storageClass(Json.Obj object) {
        var old = object.at("metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
        return old instanceof Json.Str(var name) ? name : object.string("spec", "storageClassName");
    }

    static String phase(Json.Obj object) {
        return object.at("metadata", "deletionTimestamp") instanceof Json.Str
                ? "Terminating"
                : object.string("status", "phase");
    }

    static String orUnset(Json.Obj object, String field) {
        return object.at("spec", field) instanceof Json.Str(var text) ? text : "<unset>";
    }
}
