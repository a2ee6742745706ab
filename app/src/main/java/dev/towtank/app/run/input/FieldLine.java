package dev.towtank.app.run.input;

import dev.towtank.model.JsonText;
import dev.towtank.model.Located;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the line of the field that a message is about. Pure.
public final class FieldLine {

    private static final Pattern PATH = Pattern.compile("\\b(spec|metadata|data)(\\.[A-Za-z][\\w-]*|\\[[\\w-]+])+");
    private static final Pattern STEP = Pattern.compile("([A-Za-z][\\w-]*)|\\[([\\w-]+)]");

    private FieldLine() {}

    /// @param text of the whole file
    /// @param documentLine where the object begins
    /// @param message names a field as Kubernetes does: `spec.steps[0].image`
    /// @return of the field, or of what it is missing in; empty where the message names none
    public static OptionalInt find(String text, int documentLine, String message) {
        var path = PATH.matcher(message);
        if (!path.find()) {
            return OptionalInt.empty();
        }
        var documents = new ArrayList<Located>();
        try {
            YamlText.locate(text, 1, document -> documents.add(document.root()));
        } catch (JsonText.Malformed e) {
            return OptionalInt.empty();
        }
        return documents.stream()
                .filter(root -> root.start().line() == documentLine)
                .mapToInt(root -> line(root, path.group()))
                .findFirst();
    }

    private static int line(Located root, String path) {
        var here = root;
        int line = root.start().line();
        var steps = STEP.matcher(path);
        while (steps.find()) {
            if (steps.group(1) == null) {
                var item = item(here, steps.group(2));
                if (item == null) {
                    return line;
                }
                here = item;
                line = item.start().line();
            } else {
                var field = field(here, steps.group(1));
                if (field == null) {
                    return line;
                }
                here = field.value();
                line = field.start().line();
            }
        }
        return line;
    }

    // Tekton writes some names as they are in Go: `Image`.
    private static Located.@Nullable Field field(Located object, String name) {
        return object.fields().entrySet().stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Located item(Located list, String step) {
        for (int i = 0; i < list.items().size(); i++) {
            var item = list.items().get(i);
            if (step.equals(String.valueOf(i)) || item.text("name").equals(step)) {
                return item;
            }
        }
        return null;
    }
}
