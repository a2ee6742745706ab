package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a run puts behind a workspace: exactly one of the sources.
public record WorkspaceBinding(
        String name,
        String subPath,
        Optional<Json.Obj> volumeClaimTemplate,
        Optional<Json.Obj> persistentVolumeClaim,
        Optional<Json.Obj> emptyDir,
        Optional<Json.Obj> configMap,
        Optional<Json.Obj> secret,
        Optional<Json.Obj> projected,
        Optional<Json.Obj> csi) {

    public List<Json.Obj> sources() {
        return Stream.of(volumeClaimTemplate, persistentVolumeClaim, emptyDir, configMap, secret, projected, csi)
                .flatMap(Optional::stream)
                .toList();
    }
}
