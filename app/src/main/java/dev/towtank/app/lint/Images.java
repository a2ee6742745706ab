package dev.towtank.app.lint;

import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.Optional;
import java.util.function.Function;

/// Images that say nothing of their version, or that mean nothing here.
///
/// @param problem why this machine has nothing for an image; nothing where it has
record Images(Function<String, Optional<String>> problem) implements Check {

    @Override
    public void check(Document document, Observations seen) {
        if (document.kind().isEmpty() || document.apiVersion().isEmpty()) {
            return;
        }
        for (var holder : document.root().all()) {
            for (var field : new String[] {"image", "containerImage"}) {
                var image = holder.at(field);
                if (image != null
                        && image.json() instanceof Json.Str(var text)
                        && !text.isEmpty()
                        && !text.contains("$")) {
                    latest(document, image, text, seen);
                }
            }
        }
        for (var step : TektonTree.steps(document)) {
            var image = step.at("image");
            if (image != null
                    && image.json() instanceof Json.Str(var text)
                    && !text.isEmpty()
                    && !text.contains("$(")) {
                problem.apply(text)
                        .ifPresent(why ->
                                seen.add(Rule.IMAGE_NOT_MAPPED, document.value(image), firstLine(why), rest(why)));
            }
        }
    }

    private static void latest(Document document, Located image, String text, Observations seen) {
        var name = text.substring(text.lastIndexOf('/') + 1);
        if (text.contains("@")) {
            return;
        }
        int colon = name.indexOf(':');
        var tag = colon < 0 ? "" : name.substring(colon + 1);
        if (tag.isEmpty() || tag.equals("latest")) {
            seen.add(
                    Rule.IMAGE_LATEST,
                    document.value(image),
                    tag.isEmpty()
                            ? "the image \"" + text + "\" has no tag, which means latest: it changes from run to run"
                            : "the image \"" + text + "\" changes from run to run",
                    "Name a version or a digest.");
        }
    }

    private static String firstLine(String why) {
        int end = why.indexOf(". To ");
        return end < 0 ? why.lines().findFirst().orElse(why) : why.substring(0, end);
    }

    private static String rest(String why) {
        int end = why.indexOf(". To ");
        return end < 0 ? "" : why.substring(end + 2);
    }
}
