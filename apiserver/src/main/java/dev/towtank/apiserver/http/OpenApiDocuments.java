package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Schemas;
import dev.towtank.model.Sha256;
import dev.towtank.model.openapi.OpenApi;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/// The OpenAPI documents of what a catalog serves, kept until that changes.
///
/// Logical clusters that serve the same kinds share their documents.
public final class OpenApiDocuments implements Documents {

    private static final String PREFIX = "/openapi/";
    private static final int MOST_SETS = 64;

    private final Catalog catalog;
    private final Schemas schemas;
    private final Function<Kind<?>, Optional<Json.Obj>> customSchemas;
    private final ConcurrentMap<List<Kind<?>>, ConcurrentMap<String, Optional<Document>>> made =
            new ConcurrentHashMap<>();

    /// @param customSchemas the JSON schemas of custom resources
    public OpenApiDocuments(Catalog catalog, Schemas schemas, Function<Kind<?>, Optional<Json.Obj>> customSchemas) {
        this.catalog = catalog;
        this.schemas = schemas;
        this.customSchemas = customSchemas;
    }

    @Override
    public Optional<Document> find(LogicalCluster cluster, String path, String accept) {
        if (!path.startsWith(PREFIX)) {
            return Optional.empty();
        }
        List<Kind<?>> kinds =
                catalog.served(cluster).stream().<Kind<?>>map(Served::kind).toList();
        if (made.size() > MOST_SETS) {
            made.clear();
        }
        var name = path.substring(PREFIX.length());
        boolean protobuf = name.equals("v2") && accept.contains("protobuf");
        return made.computeIfAbsent(kinds, _ -> new ConcurrentHashMap<>())
                .computeIfAbsent(protobuf ? "v2-protobuf" : name, _ -> make(kinds, name, protobuf));
    }

    private Optional<Document> make(List<Kind<?>> kinds, String name, boolean protobuf) {
        var all = new OpenApi(kinds, schemas, customSchemas);
        if (protobuf) {
            return Optional.of(document(all.v2Protobuf(), OpenApi.V2_PROTOBUF));
        }
        var json = switch (name) {
            case "v2" -> Optional.of(all.v2());
            case "v3" -> Optional.of(all.v3Index());
            default -> name.startsWith("v3/") ? all.v3(name.substring("v3/".length())) : Optional.<Json.Obj>empty();
        };
        return json.map(found -> document(JsonText.bytes(found), "application/json"));
    }

    private static Document document(byte[] bytes, String contentType) {
        return new Document(bytes, contentType, HexFormat.of().withUpperCase().formatHex(Sha256.of(bytes)));
    }
}
