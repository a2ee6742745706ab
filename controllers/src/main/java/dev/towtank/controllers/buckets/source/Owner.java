package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.OutsideKey;
import dev.towtank.model.Json;
import java.util.Optional;

/// Whose a bucket is.
///
/// @param claim its uid
/// @param outside by which class it is in another object store; nothing for one that is here
/// @param isMade whether it is known to be there; one that is here is with this very record
record Owner(String claim, Optional<OutsideKey> outside, boolean isMade) {

    static Owner here(String claim) {
        return new Owner(claim, Optional.empty(), true);
    }

    static Owner read(Json.Obj json) {
        var outside = OutsideKey.read(json);
        return new Owner(json.string("claim"), outside, outside.isEmpty() || json.flag("made"));
    }

    Json.Obj json() {
        var json = Json.Obj.of("claim", Json.of(claim));
        return outside.map(key -> json.with("outside", key.json()).with("made", Json.of(isMade)))
                .orElse(json);
    }
}
