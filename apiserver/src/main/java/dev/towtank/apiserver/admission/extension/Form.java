package dev.towtank.apiserver.admission.extension;

import dev.towtank.model.Json;

/// One version of the API in which a request can be shown.
///
/// The kind need not be that of the resource: what is written to `deployments/scale` is a Scale.
public record Form(String group, String version, String resource, String kindGroup, String kindVersion, String kind) {

    Json.Obj resourceJson() {
        return Json.Obj.of("group", Json.of(group), "version", Json.of(version), "resource", Json.of(resource));
    }

    Json.Obj kindJson() {
        return Json.Obj.of("group", Json.of(kindGroup), "version", Json.of(kindVersion), "kind", Json.of(kind));
    }
}
