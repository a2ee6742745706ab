package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Json;

/// What an ExternalSecret asks a provider for.
///
/// @param property empty for the whole secret
/// @param ofMetadata labels and annotations instead of data
public record RemoteRef(
        String key, String property, String version, boolean ofMetadata, String conversion, Decoding decoding) {

    public static RemoteRef of(Json.Obj json) {
        return new RemoteRef(
                json.string("key"),
                json.string("property"),
                json.string("version"),
                json.string("metadataPolicy").equals("Fetch"),
                json.string("conversionStrategy"),
                Decoding.of(json));
    }
}
