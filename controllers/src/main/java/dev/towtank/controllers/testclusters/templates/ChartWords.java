package dev.towtank.controllers.testclusters.templates;

/// What a chart says about itself.
///
/// @param values the text of its `values.yaml`; likewise its schema
/// @param error why it cannot be used, whatever the values
public record ChartWords(String values, String schema, String error) {

    public static ChartWords error(String why) {
        return new ChartWords("", "", why);
    }
}
