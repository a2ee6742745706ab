package dev.towtank.controllers.triggers.events;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What processing an event may ask: the objects of one logical cluster, and the interceptors that others run.
public interface World {

    /// @param namespace empty for a kind without
    Optional<Resource> find(Kind<?> kind, String namespace, String name);

    /// The Triggers of a namespace, or of all.
    ///
    /// @param namespace `*` for all that the listener may see
    List<Resource> triggers(String namespace);

    Secrets secrets(String namespace);

    GitHub gitHub();

    Instant now();

    CompiledExpressions expressions();

    /// What an interceptor answers to a request.
    Json.Obj ask(Destination interceptor, Json.Obj request) throws EventRefusal;

    /// What a webhook of the old kind makes of an event.
    ///
    /// @param headers to be set, each with a text or a list of them
    Event pass(Destination webhook, Event event, Json.Arr headers) throws EventRefusal;

    /// What `$(uid)` is.
    String newUid();
}
