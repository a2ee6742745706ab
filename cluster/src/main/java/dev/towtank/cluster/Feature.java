package dev.towtank.cluster;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;

/// The plug: something the platform can do, with the kinds it adds and the controllers that make them work.
public interface Feature {

    String name();

    /// Kinds that the server learns from this feature.
    default List<Kind<?>> kinds() {
        return List.of();
    }

    /// Objects that the feature cannot do without: definitions of its kinds, roles for them, and settings.
    ///
    /// The server creates them when it starts, and brings those outside of namespaces back into this form.
    /// Mostly read by [Definitions].
    default List<Json.Obj> definitions() {
        return List.of();
    }

    /// What its kinds do beyond their schemas.
    default List<KindBehaviour> behaviours() {
        return List.of();
    }

    /// Controllers over these caches; nothing runs yet. Every cache is asked for here, not later while deciding: what
    /// is asked for here is complete before the first decision.
    List<Controller<?, ?>> controllers(Caches caches);

    /// What sees changes beside the controllers; asked for after them.
    default List<Observer> observers(Observer.Place place) {
        return List.of();
    }
}
