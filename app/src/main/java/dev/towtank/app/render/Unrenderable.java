package dev.towtank.app.render;

/// Something that makes no objects; the message is for people.
public final class Unrenderable extends Exception {
    private static final long serialVersionUID = 1;

    public Unrenderable(String message) {
        super(message);
    }

    Unrenderable(String message, Throwable cause) {
        super(message, cause);
    }
}
