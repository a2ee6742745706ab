package dev.towtank.node.images.registry;

import java.io.IOException;

/// An image cannot be had; the message is for people, and holds no password.
public final class RegistryProblem extends IOException {

    private static final long serialVersionUID = 1L;

    public RegistryProblem(String message) {
        super(message);
    }
}
