package dev.towtank.model.kustomize;

/// A kustomization that cannot be built. The message names the file and the field.
public final class KustomizeError extends RuntimeException {

    private static final long serialVersionUID = 1;

    public KustomizeError(String message) {
        super(message, null, false, false);
    }
}
