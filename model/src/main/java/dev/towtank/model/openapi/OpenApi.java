package dev.towtank.model.openapi;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Schemas;
import dev.towtank.model.Sha256;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// The OpenAPI documents of a set of kinds.
///
/// Making a document takes some milliseconds; who serves them keeps them until the kinds change.
///
/// @param customSchemas the JSON schemas of custom resources; built-in kinds are found in `schemas`
public record OpenApi(List<Kind<?>> kinds, Schemas schemas, Function<Kind<?>, Optional<Json.Obj>> customSchemas) {

    /// The media type to answer with when [#v2Protobuf] is asked for.
    public static final String V2_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    /// The media type under which kubectl asks for it; as an answer kubectl would not understand the `@`.
    public static final String V2_PROTOBUF_ASKED = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

    public OpenApi {
        kinds = List.copyOf(kinds);
    }

    public static OpenApi of(List<Kind<?>> kinds) {
        return new OpenApi(kinds, Schemas.builtin(), _ -> Optional.empty());
    }

    /// One document about all kinds: what is served at `/openapi/v2`.
    public Json.Obj v2() {
        var definitions = new Definitions(Dialect.V2, schemas, customSchemas);
        return Json.Obj.builder()
                .put("swagger", "2.0")
                .put("info", info())
                .put("paths", paths(kinds, Dialect.V2, definitions))
                .put("definitions", definitions.all(kinds))
                .build();
    }

    public byte[] v2Protobuf() {
        return Gnostic.document(v2());
    }

    /// What is served at `/openapi/v3`: the paths of the documents, with a hash so that clients may cache them.
    public Json.Obj v3Index() {
        var paths = Json.Obj.builder();
        for (var path : groupVersions()) {
            v3(path).ifPresent(document -> paths.put(
                    path,
                    Json.Obj.of("serverRelativeURL", Json.of("/openapi/v3/" + path + "?hash=" + hash(document)))));
        }
        return Json.Obj.of("paths", paths.build());
    }

    /// The document of one group version, by its path: `api/v1`, `apis/apps/v1`.
    public Optional<Json.Obj> v3(String path) {
        var served = kinds.stream().filter(kind -> path(kind).equals(path)).toList();
        if (served.isEmpty()) {
            return Optional.empty();
        }
        var definitions = new Definitions(Dialect.V3, schemas, customSchemas);
        var paths = paths(served, Dialect.V3, definitions);
        return Optional.of(Json.Obj.builder()
                .put("openapi", "3.0.0")
                .put("info", info())
                .put("paths", paths)
                .put("components", Json.Obj.of("schemas", definitions.all(served)))
                .build());
    }

    /// The paths for [#v3].
    public List<String> groupVersions() {
        var paths = new TreeSet<String>();
        kinds.forEach(kind -> paths.add(path(kind)));
        return List.copyOf(paths);
    }

    private static String path(Kind<?> kind) {
        return (kind.group().isEmpty() ? "api/" : "apis/") + kind.apiVersion();
    }

    private static Json.Obj info() {
        return Json.Obj.of("title", Json.of("Kubernetes"), "version", Json.of("unversioned"));
    }

    private static Json.Obj paths(List<Kind<?>> kinds, Dialect dialect, Definitions definitions) {
        var paths = new TreeMap<String, Json.Obj>();
        for (var kind : kinds) {
            paths.putAll(new KindPaths(kind, "/" + path(kind), dialect, definitions).all());
        }
        return Json.Obj.copyOf(paths);
    }

    private static String hash(Json.Obj document) {
        return HexFormat.of().withUpperCase().formatHex(Sha256.of(JsonText.bytes(document)));
    }
}
