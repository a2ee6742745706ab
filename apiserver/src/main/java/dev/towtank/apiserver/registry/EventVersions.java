package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.LazyShape;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.apply.Shape;
import dev.towtank.model.apply.Versions;
import dev.towtank.model.kinds.BuiltinKinds;
import dev.towtank.model.kinds.events.EventConversion;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Events have two groups in place of two versions.
///
/// @param shapes by group and version
record EventVersions(Map<String, LazyShape> shapes) implements Versions {

    static final EventVersions EVENTS = new EventVersions(BuiltinKinds.ALL.stream()
            .filter(kind -> kind.plural().equals("events"))
            .collect(Collectors.toMap(Kind::apiVersion, LazyShape::builtin)));

    EventVersions {
        shapes = Map.copyOf(shapes);
    }

    @Override
    public Optional<Shape> shape(String apiVersion) {
        return Optional.ofNullable(shapes.get(apiVersion)).map(LazyShape::get);
    }

    @Override
    public Json.Obj convert(Json.Obj object, String apiVersion) {
        return apiVersion.equals("v1") ? EventConversion.toCore(object) : EventConversion.fromCore(object);
    }
}
