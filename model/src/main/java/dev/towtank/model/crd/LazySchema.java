package dev.towtank.model.crd;

import dev.towtank.model.Json;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The schema of one version, compiled when it is first needed: most kinds of a cluster are never touched, and their
/// schemas are most of their definitions.
final class LazySchema implements Supplier<CompiledSchema> {

    private final SchemaCache cache;
    private final Supplier<Json.Obj> definition;
    private final String version;
    private volatile @Nullable CompiledSchema compiled;

    LazySchema(SchemaCache cache, Supplier<Json.Obj> definition, String version) {
        this.cache = cache;
        this.definition = definition;
        this.version = version;
    }

    // Two threads may do it at once; the cache makes it the same schema.
    @Override
    public CompiledSchema get() {
        var known = compiled;
        if (known == null) {
            known = compile(definition.get());
            compiled = known;
        }
        return known;
    }

    private CompiledSchema compile(Json.Obj crd) {
        var schema = CrdKinds.openApiSchema(crd, version);
        return schema.size() == 0 || crd.flag("spec", "preserveUnknownFields")
                ? CompiledSchema.OPEN
                : cache.get(schema);
    }
}
