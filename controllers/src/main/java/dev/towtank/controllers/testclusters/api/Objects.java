package dev.towtank.controllers.testclusters.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// New objects, and small changes to those that are there.
public final class Objects {

    private Objects() {}

    public static Resource of(Kind<?> kind, LogicalCluster cluster, Json.Obj metadata, String field, Json value) {
        return new Resource(
                cluster,
                Json.Obj.builder()
                        .put("apiVersion", kind.apiVersion())
                        .put("kind", kind.kind())
                        .put("metadata", metadata)
                        .put(field, value)
                        .build());
    }

    public static Json.Obj named(String namespace, String name) {
        return Json.Obj.builder()
                .putNonEmpty("namespace", namespace)
                .put("name", name)
                .build();
    }

    public static Json.Obj reference(String name) {
        return Json.Obj.of("name", Json.of(name));
    }

    /// @param values as they are, not encoded
    public static Resource secret(Json.Obj metadata, Map<String, String> values) {
        var data = new LinkedHashMap<>(values);
        data.replaceAll((_, value) -> Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
        return new Resource(
                LogicalCluster.DEFAULT,
                Json.Obj.builder()
                        .put("apiVersion", "v1")
                        .put("kind", "Secret")
                        .put("metadata", metadata)
                        .put("type", "Opaque")
                        .put("data", Json.Obj.ofStrings(data))
                        .build());
    }

    /// A value of a Secret; empty where there is none, or none that is text.
    public static String value(Resource secret, String key) {
        try {
            return new String(Base64.getDecoder().decode(secret.json().string("data", key)), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    public static Json.Obj owned(Json.Obj metadata, Resource owner) {
        return metadata.with("ownerReferences", Json.Arr.of(owner.asOwner(true).json()));
    }

    /// The fields of a patch that adds a finalizer.
    public static Json.Obj withFinalizer(Resource object, String finalizer) {
        var all = new ArrayList<>(object.finalizers());
        all.add(finalizer);
        return finalizers(all);
    }

    public static Json.Obj withoutFinalizer(Resource object, String finalizer) {
        var all = new ArrayList<>(object.finalizers());
        all.remove(finalizer);
        return finalizers(all);
    }

    private static Json.Obj finalizers(List<String> all) {
        return Json.Obj.of("metadata", Json.Obj.of("finalizers", Json.Arr.ofStrings(all)));
    }
}
