package dev.towtank.model;

/// Where in an object a value stands, written as Kubernetes writes it: `spec.containers[0].ports[1].name`.
public record Path(String text) {

    public static final Path ROOT = new Path("");

    public static Path of(String first, String... more) {
        var path = new Path(first);
        for (var name : more) {
            path = path.child(name);
        }
        return path;
    }

    public Path child(String name) {
        return text.isEmpty() ? new Path(name) : new Path(text + "." + name);
    }

    public Path index(int index) {
        return new Path(text + "[" + index + "]");
    }

    public Path key(String key) {
        return new Path(text + "[" + key + "]");
    }

    @Override
    public String toString() {
        return text;
    }
}
