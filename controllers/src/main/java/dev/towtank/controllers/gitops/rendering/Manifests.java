package dev.towtank.controllers.gitops.rendering;

import dev.towtank.model.Json;
import java.util.List;

/// What a source holds.
///
/// @param revision the commit
/// @param sourceType `Directory`, `Kustomize` or `Helm`
/// @param problem why the files make no objects; empty when they do
public record Manifests(String revision, String sourceType, List<Json.Obj> objects, String problem) {

    public Manifests {
        objects = List.copyOf(objects);
    }
}
