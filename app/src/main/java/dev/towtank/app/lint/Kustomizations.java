package dev.towtank.app.lint;

import dev.towtank.model.Json;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Files that a kustomization merges into others: what is missing in them is elsewhere.
final class Kustomizations implements Check {

    private static final Set<Rule> OF_WHOLE_OBJECTS =
            Set.of(Rule.REFUSED, Rule.UNDEFINED_VOLUME, Rule.UNDEFINED_VARIABLE, Rule.MISSING_PARAM);

    private static final Pattern SUBJECT = Pattern.compile("subjects\\[\\d+]\\.namespace: Required value");

    @Override
    public void check(Document document, Observations seen) {
        var root = document.root();
        for (var list : new String[] {"patches", "patchesStrategicMerge", "patchesJson6902"}) {
            for (var patch : root.list(list)) {
                var path = patch.json() instanceof Json.Str(var text) ? text : patch.text("path");
                if (!path.isEmpty() && !path.contains("\n")) {
                    beside(document.source().file(), path).ifPresent(seen.patches::add);
                }
            }
        }

        if (isKustomization(document.source().file())) {
            root.list("resources").forEach(resource -> {
                if (resource.json() instanceof Json.Str(var path)) {
                    beside(document.source().file(), path).ifPresent(seen.resources::add);
                }
            });
            root.list("images").forEach(image -> {
                if (image.field("newTag") != null || image.field("digest") != null) {
                    seen.chosenImages.add(image.text("name"));
                }
            });
        }
    }

    private static Optional<String> beside(String file, String path) {
        try {
            return Optional.of(normal(Path.of(file).resolveSibling(path)));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static String normal(Path path) {
        return path.normalize().toString();
    }

    /// Whether what was built has a mistake that a file of it was already told.
    static boolean isKnown(Finding finding, List<Finding> all) {
        return isKustomization(finding.place().file())
                && finding.rule() != Rule.UNRENDERABLE
                && all.stream()
                        .anyMatch(other -> other.rule() == finding.rule()
                                && other.message().equals(finding.message())
                                && !isKustomization(other.place().file()));
    }

    static boolean isKustomization(String file) {
        return file.matches("(.*/)?(kustomization\\.ya?ml|Kustomization)");
    }

    /// Whether a kustomization writes what is missing: the namespace of subjects, the version of an image.
    static boolean isFilledIn(Finding finding, Observations seen) {
        return switch (finding.rule()) {
            case REFUSED ->
                SUBJECT.matcher(finding.message()).matches()
                        && seen.resources.contains(
                                normal(Path.of(finding.place().file())));
            case IMAGE_LATEST ->
                !isKustomization(finding.place().file())
                        && seen.chosenImages.stream()
                                .anyMatch(image -> finding.message().contains('"' + image + '"')
                                        || finding.message().contains('"' + image + ':'));
            default -> false;
        };
    }

    static boolean isAboutAPart(Finding finding, Set<String> patches) {
        return !patches.isEmpty()
                && OF_WHOLE_OBJECTS.contains(finding.rule())
                && patches.contains(normal(Path.of(finding.place().file())));
    }
}
