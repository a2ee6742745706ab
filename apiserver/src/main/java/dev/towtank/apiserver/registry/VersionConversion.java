package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Conversion;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;

/// One served version of a custom kind that has several. What is in the wanted version already stays as it is: objects
/// are stored in the version that was the storage version when they were last written.
record VersionConversion(VersionConverter converter, String served, String stored) implements Conversion {

    @Override
    public Json.Obj fromStored(Json.Obj object) {
        return convert(List.of(object), served).getFirst();
    }

    @Override
    public List<Json.Obj> fromStored(List<Json.Obj> objects) {
        return convert(objects, served);
    }

    @Override
    public Json.Obj toStored(Json.Obj object) {
        return convert(List.of(object), stored).getFirst();
    }

    private List<Json.Obj> convert(List<Json.Obj> objects, String apiVersion) {
        var foreign = new ArrayList<Json.Obj>();
        for (var object : objects) {
            if (!object.string("apiVersion").equals(apiVersion)) {
                foreign.add(object);
            }
        }
        if (foreign.isEmpty()) {
            return objects;
        }
        var converted = converter.convert(foreign, apiVersion).iterator();
        var all = new ArrayList<Json.Obj>(objects.size());
        for (var object : objects) {
            all.add(object.string("apiVersion").equals(apiVersion) ? object : converted.next());
        }
        return all;
    }
}
