package dev.towtank.app.applications.foresight;

import dev.towtank.model.Json;

/// What an object's pods are made after.
public final class PodTemplate {

    private PodTemplate() {}

    /// The spec of its pods; nothing in it where it has none.
    public static Json.Obj of(Json.Obj object) {
        return switch (object.string("kind")) {
            case "Pod" -> object.object("spec");
            case "CronJob" -> object.object("spec", "jobTemplate", "spec", "template", "spec");
            default -> object.object("spec", "template", "spec");
        };
    }
}
