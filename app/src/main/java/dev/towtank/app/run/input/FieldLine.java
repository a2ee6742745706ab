package dev.towtank.app.run.input;

import dev.towtank.app.lint.finding.Similar;
import dev.towtank.model.JsonText;
import dev.towtank.model.Located;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the line of the field that a message is about. Pure.
public final class FieldLine {

    private static final Pattern PATH = Pattern.compile("\\b(spec|metadata|data)(\\.[A-Za-z][\\w-]*|\\[[\\w-]+])+");
    private static final Pattern MISSING =
            Pattern.compile("missing field\\(s\\): ((?:spec|metadata)(?:\\.[A-Za-z][\\w-]*|\\[[\\w-]+])*)\\.(\\w+)");
    private static final Pattern STEP = Pattern.compile("([A-Za-z][\\w-]*)|\\[([\\w-]+)]");

    private FieldLine() {}

    /// A key that is there, and hardly meant.
    public record Slip(int line, String written, String meant) {}

    /// The key that somebody wrote in place of a field that is missing: `stepz`.
    ///
    /// @param message says which one, as Tekton does
    public static Optional<Slip> slip(String text, int documentLine, String message) {
        var missing = MISSING.matcher(message);
        if (!missing.find()) {
            return Optional.empty();
        }
        var name = missing.group(2);
        return root(text, documentLine).flatMap(root -> {
            var holder = at(root, missing.group(1));
            var written = Similar.to(name, holder.fields().keySet()).filter(each -> !each.equals(name));
            return holder.fields().entrySet().stream()
                    .filter(entry -> written.filter(entry.getKey()::equals).isPresent())
                    .map(entry -> new Slip(entry.getValue().start().line(), entry.getKey(), name))
                    .findFirst();
        });
    }

    private static Optional<Located> root(String text, int documentLine) {
        var documents = new ArrayList<Located>();
        try {
            YamlText.locate(text, 1, document -> spread(document.root(), documents));
        } catch (JsonText.Malformed e) {
            return Optional.empty();
        }
        return documents.stream()
                .filter(root -> root.start().line() == documentLine)
                .findFirst();
    }

    // A list may begin in the line of its first item, which is meant.
    private static void spread(Located root, List<Located> objects) {
        if (root.text("kind").equals("List")) {
            root.list("items").forEach(item -> spread(item, objects));
        }
        objects.add(root);
    }

    /// As deep as there is something.
    private static Located at(Located root, String path) {
        var here = root;
        var steps = STEP.matcher(path);
        while (steps.find()) {
            var field = steps.group(1) == null ? null : field(here, steps.group(1));
            var inner = steps.group(1) == null ? item(here, steps.group(2)) : field == null ? null : field.value();
            if (inner == null) {
                return here;
            }
            here = inner;
        }
        return here;
    }

    /// @param text of the whole file
    /// @param documentLine where the object begins
    /// @param message names a field as Kubernetes does: `spec.steps[0].image`
    /// @return of the field, or of what it is missing in; empty where the message names none
    public static OptionalInt find(String text, int documentLine, String message) {
        var path = PATH.matcher(message);
        if (!path.find()) {
            return OptionalInt.empty();
        }
        return root(text, documentLine).stream()
                .mapToInt(root -> line(root, path.group()))
                .findFirst();
    }

    /// @return of the field, or of what it is in; of the object where its text cannot be read
    static int of(String text, int documentLine, String path) {
        return root(text, documentLine).map(root -> line(root, path)).orElse(documentLine);
    }

    /// The way to the field of a name, where there is one alone.
    static Optional<String> path(String text, int documentLine, String name) {
        var paths = new ArrayList<String>();
        root(text, documentLine).ifPresent(root -> collect(root, "", name, paths));
        return paths.size() == 1 ? Optional.of(paths.getFirst()) : Optional.empty();
    }

    private static void collect(Located here, String way, String name, List<String> paths) {
        here.fields().forEach((key, field) -> {
            var path = way.isEmpty() ? key : way + "." + key;
            if (key.equals(name)) {
                paths.add(path);
            }
            collect(field.value(), path, name, paths);
        });
        for (int i = 0; i < here.items().size(); i++) {
            collect(here.items().get(i), way + "[" + i + "]", name, paths);
        }
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
        var same = object.field(name);
        return same != null
                ? same
                : object.fields().entrySet().stream()
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
