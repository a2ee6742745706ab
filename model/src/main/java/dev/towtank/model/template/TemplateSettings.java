package dev.towtank.model.template;

/// How templates are executed: what they may call, what a missing key means, and what they may cost.
public record TemplateSettings(Functions functions, MissingKey missingKey, Meter meter) {

    /// What a key that a map does not have gives.
    public enum MissingKey {
        /// No value at all, of which a further field is none either: `missingkey=default`.
        INVALID,
        /// The zero value of the map's elements: `missingkey=zero`.
        ZERO,
        /// An error: `missingkey=error`.
        ERROR
    }

    public static TemplateSettings of(Functions functions, MissingKey missingKey) {
        return new TemplateSettings(functions, missingKey, new Meter(Bounds.DEFAULT));
    }
}
