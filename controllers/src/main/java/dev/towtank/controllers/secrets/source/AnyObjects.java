package dev.towtank.controllers.secrets.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.util.Optional;

/// Objects of any kind, for which nobody keeps a cache.
public record AnyObjects(Cluster cluster) {

    public Optional<Json.Obj> find(Kind<Json.Obj> kind, ObjectName name) throws IOException {
        try {
            return cluster.get(kind, name).map(Resource::json);
        } catch (StatusError e) {
            throw new IOException(e.text(), e);
        }
    }
}
