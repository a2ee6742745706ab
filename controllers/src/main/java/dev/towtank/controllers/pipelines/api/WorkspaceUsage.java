package dev.towtank.controllers.pipelines.api;

/// A workspace that only some steps or sidecars see.
public record WorkspaceUsage(String name, String mountPath) {}
