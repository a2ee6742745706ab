package dev.towtank.app.lint.standing;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// What files say of each other's use. All paths are absolute.
///
/// @param kustomizations all there are
/// @param listedBy the kustomizations that list a file or a folder
/// @param patches what kustomizations merge into other objects
/// @param deliveries of Argo CD and Flux
public record Listings(
        Set<Path> kustomizations, Map<Path, Set<Path>> listedBy, Set<Path> patches, List<Delivery> deliveries) {

    public static final Listings NONE = new Listings(Set.of(), Map.of(), Set.of(), List.of());

    /// The kustomizations that list a file itself.
    Set<Path> of(Path file) {
        return listedBy.getOrDefault(file, Set.of());
    }

    /// The kustomizations that list another one, by its folder or its name.
    boolean isListed(Path kustomization, Collection<Path> by) {
        return Stream.concat(of(kustomization).stream(), of(kustomization.resolveSibling("")).stream())
                .anyMatch(by::contains);
    }
}
