package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.controllers.pipelines.api.ParamValue;
import java.util.List;

/// Replacements on their way into one object, which may grow only so far.
record Filling(Replacements replacements, Growth growth) {

    Filling with(Replacements others) {
        return new Filling(others, growth);
    }

    String apply(String text) {
        return replacements.apply(text, growth);
    }

    List<String> expand(String text) {
        return replacements.expand(text, growth);
    }

    ParamValue apply(ParamValue value) {
        return replacements.apply(value, growth);
    }

    String applyAsText(String text) {
        return replacements.applyAsText(text, growth);
    }
}
