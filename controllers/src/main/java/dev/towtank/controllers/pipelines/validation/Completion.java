package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;

/// Fills in defaults as [Admission#defaults] does, for a server that sees the same specs again and again.
public final class Completion {

    private final CompleteSpecs complete = new CompleteSpecs();

    public Json.Obj defaults(Json.Obj object, Settings settings) {
        var defaulting = new Defaulting(settings.defaults());
        if (object.get("spec") instanceof Json.Obj spec && complete.contains(spec, settings.defaults())) {
            return defaulting.applyToMetadata(object);
        }
        var filled = defaulting.apply(object);
        if (filled.get("spec") instanceof Json.Obj spec) {
            complete.add(spec, settings.defaults());
        }
        return filled;
    }
}
