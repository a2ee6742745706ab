package dev.towtank.controllers.pipelines.api;

/// tekton.dev/v1 Task.
public record Task(String apiVersion, String kind, Metadata metadata, TaskSpec spec) {}
