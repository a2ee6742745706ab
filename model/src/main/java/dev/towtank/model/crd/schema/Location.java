package dev.towtank.model.crd.schema;

import org.jspecify.annotations.Nullable;

/// Where a walk over an object stands. Its text is made only when there is something to say.
public final class Location {

    public static final Location ROOT = new Location(null, null, -1, false);

    private final @Nullable Location parent;
    private final @Nullable String name;
    private final int index;
    private final boolean key;

    private Location(@Nullable Location parent, @Nullable String name, int index, boolean key) {
        this.parent = parent;
        this.name = name;
        this.index = index;
        this.key = key;
    }

    public Location child(String name) {
        return new Location(this, name, -1, false);
    }

    /// An entry of a map.
    public Location key(String name) {
        return new Location(this, name, -1, true);
    }

    public Location index(int index) {
        return new Location(this, null, index, false);
    }

    boolean isRoot() {
        return parent == null;
    }

    /// `spec.labels[app]`
    public String text() {
        var text = new StringBuilder();
        write(text, true);
        return text.toString();
    }

    /// `spec.labels.app`, as schema validation writes it.
    String dotted() {
        var text = new StringBuilder();
        write(text, false);
        return text.toString();
    }

    private void write(StringBuilder text, boolean brackets) {
        if (parent == null) {
            return;
        }
        parent.write(text, brackets);
        if (name == null) {
            text.append('[').append(index).append(']');
        } else if (key && brackets) {
            text.append('[').append(name).append(']');
        } else {
            text.append(text.isEmpty() ? "" : ".").append(name);
        }
    }
}
