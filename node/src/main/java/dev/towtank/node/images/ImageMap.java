package dev.towtank.node.images;

/// Finds what stands for an image.
public interface ImageMap {

    Lookup find(String reference);

    /// @param pullPolicy `Always`, `IfNotPresent` or `Never`, for those who pull
    default Lookup find(String reference, String pullPolicy) {
        return find(reference);
    }

    /// The answer for one image.
    sealed interface Lookup {
        record Found(Image image) implements Lookup {}

        /// @param reason for the container's status: `ErrImagePull`, or `InvalidImageName`
        record NotFound(String reason, String message) implements Lookup {}
    }
}
