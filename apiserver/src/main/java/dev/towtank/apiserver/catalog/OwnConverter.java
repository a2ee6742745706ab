package dev.towtank.apiserver.catalog;

import dev.towtank.model.Json;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;

/// Conversion by a function in this process. Whatever it does, the object stays the object it was.
record OwnConverter(KindBehaviour.Converter converter) implements VersionConverter {

    @Override
    public List<Json.Obj> convert(List<Json.Obj> objects, String apiVersion) {
        return objects.stream().map(object -> convert(object, apiVersion)).toList();
    }

    private Json.Obj convert(Json.Obj object, String apiVersion) {
        var from = version(object.string("apiVersion"));
        var converted = converter.convert(object, from, version(apiVersion));
        return Metadata.ordered(converted
                .with("apiVersion", Json.of(apiVersion))
                .with("kind", Json.of(object.string("kind")))
                .with("metadata", metadata(object.object("metadata"), converted.object("metadata"))));
    }

    private static Json.Obj metadata(Json.Obj before, Json.Obj after) {
        return before.withOrWithout("labels", after.get("labels"))
                .withOrWithout("annotations", after.get("annotations"));
    }

    private static String version(String apiVersion) {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }
}
