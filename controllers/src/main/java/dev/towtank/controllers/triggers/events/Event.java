package dev.towtank.controllers.triggers.events;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;

/// What a listener got, as far as the interceptors before have changed it.
///
/// @param body exactly as it was sent: signatures are over its bytes
/// @param url path and query
/// @param extensions what interceptors added
/// @param sent the body as it came, where interceptors have changed it
public record Event(String id, String url, String body, Headers headers, Json.Obj extensions, String sent) {

    public Event(String id, String url, String body, Headers headers, Json.Obj extensions) {
        this(id, url, body, headers, extensions, body);
    }

    /// @throws JsonText.Malformed where the body is no JSON
    Json json() {
        return body.isEmpty() ? Json.Null.NULL : JsonText.parse(body);
    }

    /// What bindings read.
    Json.Obj readable() {
        return Json.Obj.builder()
                .put("header", headers.joined())
                .put("body", json())
                .put("extensions", extensions)
                .put("context", Json.Obj.of("eventID", Json.of(id)))
                .build();
    }

    /// With more extensions; later ones win.
    Event with(Json.Obj more) {
        var all = extensions;
        for (var entry : more) {
            all = all.with(entry.getKey(), entry.getValue());
        }
        return new Event(id, url, body, headers, all, sent);
    }

    Event with(String changedBody) {
        return new Event(id, url, changedBody, headers, extensions, sent);
    }

    Event with(String changedBody, Headers changedHeaders) {
        return new Event(id, url, changedBody, changedHeaders, extensions, sent);
    }

    /// Without its contents.
    @Override
    public String toString() {
        return "event " + id;
    }
}
