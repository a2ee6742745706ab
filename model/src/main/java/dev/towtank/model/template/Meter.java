package dev.towtank.model.template;

/// Counts what a render uses, and ends it at its [Bounds]. One meter may be shared by the renders of several templates
/// that belong together, as those of a chart do.
public final class Meter {
    private static final int CHARACTERS_PER_STEP = 64;

    private final Bounds bounds;
    private long steps;
    private long output;
    private int depth;

    public Meter(Bounds bounds) {
        this.bounds = bounds;
    }

    public void step() {
        step(1);
    }

    public void step(long count) {
        steps += count;
        if (steps > bounds.steps() || steps < 0) {
            throw TemplateError.exhausted(
                    "the render takes more than " + bounds.steps() + " steps; is there a loop that does not end?");
        }
    }

    /// To be asked before a text, list or buffer of a size that a template chose is made.
    public void claim(long characters) {
        if (characters > bounds.outputBytes() || characters < 0) {
            throw TemplateError.exhausted(
                    "a value would be larger than the " + bounds.outputBytes() + " bytes that a render may have");
        }
        step(characters / CHARACTERS_PER_STEP);
    }

    void write(int characters) {
        output += characters;
        if (output > bounds.outputBytes()) {
            throw TemplateError.exhausted("the output is larger than " + bounds.outputBytes() + " bytes");
        }
    }

    /// Goes one template, or one level of a value, deeper; must be undone by [#leave].
    public void enter() {
        if (depth >= bounds.depth()) {
            throw TemplateError.exhausted("exceeded maximum template depth (" + bounds.depth() + ")");
        }
        depth++;
    }

    public void leave() {
        depth--;
    }
}
