package dev.towtank.controllers.buckets;

import dev.towtank.model.Json;

/// Where the object store listens on this machine.
record S3Ports(int http, int https) {

    static S3Ports read(Json json) {
        return json instanceof Json.Obj object
                ? new S3Ports((int) object.integer("http"), (int) object.integer("https"))
                : new S3Ports(0, 0);
    }

    Json.Obj json() {
        return Json.Obj.of("http", Json.of(http), "https", Json.of(https));
    }
}
