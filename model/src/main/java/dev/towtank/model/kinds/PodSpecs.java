package dev.towtank.model.kinds;

import dev.towtank.model.Json;

/// Defaults and rules of a pod's spec, for pods and for templates alike.
public final class PodSpecs {

    private PodSpecs() {}

    public static Json.Obj defaults(Json.Obj spec) {
        return spec;
    }

    /// The spec of a pod.
    public static void validate(Field spec) {}

    /// The spec of a template.
    public static void validateTemplate(Field spec) {}
}
