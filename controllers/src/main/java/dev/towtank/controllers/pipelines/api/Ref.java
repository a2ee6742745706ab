package dev.towtank.controllers.pipelines.api;

import java.util.List;

/// Names a task, a pipeline, a step action or a custom task: by name, or by a resolver and its params.
public record Ref(String name, String kind, String apiVersion, String resolver, List<Param> params) {

    public boolean isRemote() {
        return !resolver.isEmpty();
    }

    /// Another controller's kind, which runs as a CustomRun. Also true of a Task that is named with its
    /// apiVersion: so it is in Tekton.
    public boolean isCustom() {
        return !apiVersion.isEmpty() && !kind.isEmpty();
    }
}
