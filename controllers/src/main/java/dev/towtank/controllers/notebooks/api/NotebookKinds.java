package dev.towtank.controllers.notebooks.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;

/// The kinds of notebooks.
public final class NotebookKinds {

    public static final Kind<Json.Obj> JOB = Kind.namespaced(
                    "mlops.mlops.dev", "v1alpha1", "NotebookValidationJob", "notebookvalidationjobs")
            .withStatus();

    private NotebookKinds() {}
}
