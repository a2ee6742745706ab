package dev.towtank.apiserver.view;

import dev.towtank.apiserver.Content;
import dev.towtank.model.Json;
import java.util.List;

/// Objects without anything but their metadata, for clients that look at nothing else.
final class MetadataView {

    private MetadataView() {}

    static Json.Obj of(Json.Obj object, String version) {
        return Json.Obj.of(
                "kind", Json.of("PartialObjectMetadata"),
                "apiVersion", Json.of("meta.k8s.io/" + version),
                "metadata", object.object("metadata"));
    }

    static Json.Obj list(Json.Obj listMetadata, List<? extends Content> objects, String version) {
        return Json.Obj.builder()
                .put("kind", "PartialObjectMetadataList")
                .put("apiVersion", "meta.k8s.io/" + version)
                .put("metadata", listMetadata)
                .put(
                        "items",
                        new Json.Arr(objects.stream()
                                .<Json>map(object -> of(object.tree(), version))
                                .toList()))
                .build();
    }
}
