package dev.towtank.app.lint.standing;

import java.nio.file.Path;

/// A folder of a repository that a controller delivers to a cluster.
///
/// @param by the file that says so
/// @param folder from the top of the repository, as it is written
/// @param isDeep whether with the folders below
/// @param isBuilt whether by Kustomize, also where nobody has written a kustomization
public record Delivery(Path by, String folder, boolean isDeep, boolean isBuilt) {}
