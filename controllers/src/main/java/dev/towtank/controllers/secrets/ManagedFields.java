package dev.towtank.controllers.secrets;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;

/// Which keys somebody wrote, as the server keeps account of it.
final class ManagedFields {

    private ManagedFields() {}

    /// The keys below a path, as the keys of an object.
    static Json.Obj of(Resource object, String manager, String... path) {
        var keys = Json.Obj.builder();
        for (var entry : object.metadata().objects("managedFields")) {
            if (!entry.string("manager").equals(manager)) {
                continue;
            }
            var fields = entry.object("fieldsV1");
            for (var step : path) {
                fields = fields.object("f:" + step);
            }
            fields.forEach((key, _) -> {
                if (key.startsWith("f:")) {
                    keys.put(key.substring(2), true);
                }
            });
        }
        return keys.build();
    }
}
