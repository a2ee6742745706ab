package dev.towtank.controllers.models;

import dev.towtank.cluster.Deed;
import dev.towtank.model.Json;
import java.util.Map;

/// Something to tell somebody outside; the result is why it could not be told, or an empty text.
///
/// @param address of a web server, or of a Service by its name in the cluster
/// @param headers besides the content type, which is JSON
record ModelDeed(String address, Map<String, String> headers, Json body) implements Deed {

    ModelDeed {
        headers = Map.copyOf(headers);
    }

    @Override
    public Json.Obj json() {
        return Json.Obj.of("tell", Json.of(address), "what", body);
    }
}
