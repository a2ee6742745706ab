package dev.towtank.app.engine;

/// What runs the containers of pods.
public enum PodRuntime {
    /// Sandboxes of our own, with what the image map says.
    BUBBLEWRAP("bubblewrap"),
    PODMAN("podman"),
    DOCKER("docker");

    private final String text;

    PodRuntime(String text) {
        this.text = text;
    }

    /// As users say it.
    @Override
    public String toString() {
        return text;
    }
}
