package dev.towtank.controllers.pipelines.api;

/// A workspace that a task or a pipeline wants; pipelines have no mount path.
public record WorkspaceDeclaration(
        String name, String description, String mountPath, boolean readOnly, boolean optional) {

    public String path() {
        return mountPath.isEmpty() ? "/workspace/" + name : mountPath;
    }
}
