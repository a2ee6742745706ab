package dev.towtank.controllers.pipelines.api.settings;

import java.util.HashSet;
import java.util.Map;

/// The ConfigMap `config-events`.
///
/// @param sink where CloudEvents go; empty for nowhere
public record EventSettings(String sink) {

    public static final String CONFIG_MAP = "config-events";

    public static final EventSettings INITIAL = read(Map.of());

    private static final String FORMAT = "tektonv1";

    /// @throws Settings.Malformed where a value makes no sense
    public static EventSettings read(Map<String, String> data) {
        var formats = data.getOrDefault("formats", FORMAT);
        if (formats.isEmpty()) {
            throw new Settings.Malformed("formats cannot be empty");
        }
        var seen = new HashSet<String>();
        for (var format : formats.split(",", -1)) {
            if (!format.equals(FORMAT)) {
                throw new Settings.Malformed("invalid format: " + format);
            }
            if (!seen.add(format)) {
                throw new Settings.Malformed("duplicate format: " + format);
            }
        }
        return new EventSettings(data.getOrDefault("sink", ""));
    }
}
