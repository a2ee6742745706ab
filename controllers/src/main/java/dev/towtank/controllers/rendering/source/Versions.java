package dev.towtank.controllers.rendering.source;

import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.functions.SemanticVersions;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// Which of many versions is meant.
final class Versions {
    private Versions() {}

    /// The version itself where it is among them, otherwise the newest one of the range.
    ///
    /// @param wanted empty for the newest that is no pre-release
    static Optional<String> choose(Collection<String> versions, String wanted) {
        if (versions.contains(wanted)) {
            return Optional.of(wanted);
        }
        var range = wanted.isEmpty() ? "*" : wanted;
        return versions.stream()
                .filter(Versions::isVersion)
                .filter(each -> satisfies(range, each))
                .max(Comparator.comparing(SemanticVersions::parse));
    }

    private static boolean isVersion(String text) {
        try {
            SemanticVersions.parse(text);
            return true;
        } catch (FunctionError e) {
            return false;
        }
    }

    private static boolean satisfies(String range, String version) {
        try {
            return SemanticVersions.satisfies(range, version);
        } catch (FunctionError e) {
            return false;
        }
    }
}
