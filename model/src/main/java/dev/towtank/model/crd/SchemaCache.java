package dev.towtank.model.crd;

import dev.towtank.model.BoundedMap;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Sha256;
import java.util.HexFormat;
import java.util.Map;

/// Compiled schemas by their content, so that a thousand logical clusters with the same kinds share them.
///
/// Bounded: the schema that was not asked for the longest goes first. Whoever holds it keeps it.
public final class SchemaCache {

    private static final int DEFAULT_SIZE = 1000;

    private final Map<String, CompiledSchema> schemas;

    public SchemaCache() {
        this(DEFAULT_SIZE);
    }

    public SchemaCache(int size) {
        schemas = BoundedMap.byUse(size);
    }

    /// @throws StructuralSchema.Unsupported where it is no schema that a server can keep
    public CompiledSchema get(Json.Obj openApiSchema) {
        var key = hash(openApiSchema);
        synchronized (schemas) {
            var known = schemas.get(key);
            if (known != null) {
                return known;
            }
        }
        var made = CompiledSchema.of(openApiSchema);
        synchronized (schemas) {
            var known = schemas.putIfAbsent(key, made);
            return known == null ? made : known;
        }
    }

    public int size() {
        synchronized (schemas) {
            return schemas.size();
        }
    }

    private static String hash(Json.Obj schema) {
        return HexFormat.of().formatHex(Sha256.of(JsonText.bytes(schema)));
    }
}
