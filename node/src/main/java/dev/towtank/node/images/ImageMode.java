package dev.towtank.node.images;

/// What containers run on.
public enum ImageMode {
    /// A real image that is here, else a stand-in, else an image that is pulled.
    AUTO("auto"),
    /// Real images alone.
    REAL("real"),
    /// Programs of this machine, as the image map says.
    STAND_IN("stand-in");

    private final String text;

    ImageMode(String text) {
        this.text = text;
    }

    /// As users say it.
    @Override
    public String toString() {
        return text;
    }
}
