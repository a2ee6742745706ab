package dev.towtank.controllers.pipelines.api;

/// tekton.dev/v1 Pipeline.
public record Pipeline(String apiVersion, String kind, Metadata metadata, PipelineSpec spec) {}
