package dev.towtank.controllers.pipelines.api;

import java.util.Map;
import java.util.function.Function;

/// What the administrator has decided, as it is at the moment.
public record Settings(Defaults defaults, FeatureFlags flags) {

    /// Where nobody decided anything.
    public static final Settings INITIAL = new Settings(Defaults.INITIAL, FeatureFlags.INITIAL);

    /// What the data of the two ConfigMaps says. One with a value that makes no sense counts as if nobody had
    /// written it: the runs go on, and whoever wrote it is told by [FeatureFlags#read] and [Defaults#read].
    public static Settings read(Map<String, String> defaults, Map<String, String> flags) {
        return new Settings(
                readOr(Defaults.INITIAL, Defaults::read, defaults),
                readOr(FeatureFlags.INITIAL, FeatureFlags::read, flags));
    }

    private static <T> T readOr(T otherwise, Function<Map<String, String>, T> reader, Map<String, String> data) {
        try {
            return reader.apply(data);
        } catch (Malformed e) {
            return otherwise;
        }
    }

    /// A ConfigMap has a value that makes no sense; the message is the one of Tekton.
    public static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message, null, false, false);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }
}
