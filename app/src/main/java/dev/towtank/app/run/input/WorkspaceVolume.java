package dev.towtank.app.run.input;

import dev.towtank.model.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A claim whose directory the run itself looks after.
///
/// @param workspace as the user knows it
/// @param source what is in it at first; nothing means empty
/// @param writable the source itself is used, not a copy
/// @param isGiven the claim is among the files, and only the volume for it is made
public record WorkspaceVolume(
        String workspace, String claim, String namespace, Optional<Path> source, boolean writable, boolean isGiven) {

    private static final String SIZE = "1Gi";

    public WorkspaceVolume from(Path directory) {
        return new WorkspaceVolume(workspace, claim, namespace, Optional.of(directory), writable, isGiven);
    }

    /// Where its files are, given the directory for those of all volumes of a run.
    public Path directory(Path all) {
        return writable ? source.orElseThrow() : all.resolve(claim);
    }

    /// The volume on a directory of this machine, for this claim only.
    public Json.Obj volume(Path directory, Json.Arr accessModes) {
        var claimRef = Json.Obj.of(
                "namespace", Json.of(namespace), "name", Json.of(claim), "kind", Json.of("PersistentVolumeClaim"));
        var spec = Json.Obj.builder()
                .put("capacity", Json.Obj.of("storage", Json.of(SIZE)))
                .put("accessModes", accessModes.size() == 0 ? modes() : accessModes)
                .put("persistentVolumeReclaimPolicy", "Retain")
                .put("claimRef", claimRef)
                .put("hostPath", Json.Obj.of("path", Json.of(directory.toString())));
        return Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "PersistentVolume")
                .put("metadata", Json.Obj.of("name", Json.of("run-" + namespace + "-" + claim)))
                .put("spec", spec.build())
                .build();
    }

    public Json.Obj claimObject() {
        return Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "PersistentVolumeClaim")
                .put("metadata", Json.Obj.of("name", Json.of(claim), "namespace", Json.of(namespace)))
                .put(
                        "spec",
                        Json.Obj.builder()
                                .put("accessModes", modes())
                                .put("storageClassName", "")
                                .put("volumeName", "run-" + namespace + "-" + claim)
                                .put("resources", Json.Obj.of("requests", Json.Obj.of("storage", Json.of(SIZE))))
                                .build())
                .build();
    }

    private static Json.Arr modes() {
        return Json.Arr.ofStrings(List.of("ReadWriteOnce", "ReadWriteMany"));
    }
}
