package dev.towtank.model;

import org.jspecify.annotations.Nullable;

/// Where in an object a value stands, written as Kubernetes writes it: `spec.containers[0].ports[1].name`.
///
/// Every check takes one along, and hardly any has something to say: so the text is made when somebody asks.
public final class Path {

    public static final Path ROOT = new Path("");

    private final @Nullable Path holder;
    // A name or a number.
    private final Object step;
    private final boolean inBrackets;

    public Path(String text) {
        this(null, text, false);
    }

    private Path(@Nullable Path holder, Object step, boolean inBrackets) {
        this.holder = holder;
        this.step = step;
        this.inBrackets = inBrackets;
    }

    public static Path of(String first, String... more) {
        var path = new Path(first);
        for (var name : more) {
            path = path.child(name);
        }
        return path;
    }

    public Path child(String name) {
        return isEmpty() ? new Path(name) : new Path(this, name, false);
    }

    public Path index(int index) {
        return new Path(this, index, true);
    }

    public Path key(String key) {
        return new Path(this, key, true);
    }

    private boolean isEmpty() {
        return holder == null && step.equals("");
    }

    public String text() {
        return holder == null ? step.toString() : write(new StringBuilder()).toString();
    }

    private StringBuilder write(StringBuilder text) {
        if (holder == null) {
            return text.append(step);
        }
        holder.write(text).append(inBrackets ? '[' : '.').append(step);
        return inBrackets ? text.append(']') : text;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Path that && text().equals(that.text());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    @Override
    public String toString() {
        return text();
    }
}
