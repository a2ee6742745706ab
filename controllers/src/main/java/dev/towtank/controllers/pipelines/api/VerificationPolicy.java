package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// tekton.dev/v1alpha1 VerificationPolicy: whose signatures are asked for on which definitions.
public record VerificationPolicy(String apiVersion, String kind, Metadata metadata, Spec spec) {

    public record Spec(List<Pattern> resources, List<Authority> authorities, String mode) {}

    public record Pattern(String pattern) {}

    public record Authority(String name, Optional<Key> key) {}

    public record Key(Optional<Json.Obj> secretRef, String data, String kms, String hashAlgorithm) {}
}
