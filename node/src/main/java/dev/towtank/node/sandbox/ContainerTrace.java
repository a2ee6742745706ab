package dev.towtank.node.sandbox;

import java.nio.file.Path;
import java.util.List;

/// What is needed to find a container again.
///
/// @param masked the secret values that its log must not show: they are on no disk, so they are given again
public record ContainerTrace(String id, Path directory, Path log, List<String> masked) {
    public ContainerTrace {
        masked = List.copyOf(masked);
    }

    @Override
    public String toString() {
        return "ContainerTrace[" + id + "]";
    }
}
