package dev.towtank.controllers.pipelines.api.settings;

/// What the runs of tasks and their pods are marked with: the Tekton that they behave like.
public final class ReleaseMark {

    public static final String ANNOTATION = "pipeline.tekton.dev/release";
    public static final String VALUE = "3ee1745";

    private ReleaseMark() {}
}
