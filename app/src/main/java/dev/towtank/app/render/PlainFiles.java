package dev.towtank.app.render;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.helm.Rendered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Objects that stand in files as they are.
public final class PlainFiles {
    private static final int MOST_FILES = 20_000;
    private static final long LARGEST = 16L << 20;
    private static final int DEEPEST = 40;

    private PlainFiles() {}

    public static List<Rendered.Entry> read(Path place, boolean recurses) throws IOException, Unrenderable {
        if (!Files.isDirectory(place)) {
            return file(place, place.toString());
        }
        var found = new ArrayList<Rendered.Entry>();
        try (var paths = Files.walk(place, recurses ? DEEPEST : 1)) {
            var files = paths.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .filter(path -> path.toString().matches(".*\\.(ya?ml|json)"))
                    .filter(path -> !place.relativize(path).startsWith(".git"))
                    .sorted()
                    .limit(MOST_FILES + 1L)
                    .toList();
            if (files.isEmpty()) {
                throw new Unrenderable(
                        "it has neither a Chart.yaml nor a kustomization.yaml, and no YAML or JSON right in" + " it"
                                + (recurses ? "" : "; --recurse looks below as well"));
            }
            if (files.size() > MOST_FILES) {
                throw new Unrenderable("it has more than " + MOST_FILES + " files");
            }
            for (var file : files) {
                found.addAll(file(file, place.relativize(file).toString()));
            }
        }
        return found;
    }

    private static List<Rendered.Entry> file(Path file, String name) throws IOException, Unrenderable {
        if (Files.size(file) > LARGEST) {
            throw new Unrenderable(name + " is larger than " + LARGEST + " bytes");
        }
        var objects = new ArrayList<Rendered.Entry>();
        try {
            for (var document : YamlText.parseAll(Files.readAllBytes(file))) {
                add(document, name, objects);
            }
        } catch (JsonText.Malformed e) {
            throw new Unrenderable(name + ": " + e.getMessage(), e);
        }
        return objects;
    }

    private static void add(Json document, String name, List<Rendered.Entry> objects) throws Unrenderable {
        if (!(document instanceof Json.Obj object)
                || object.string("kind").isEmpty()
                || object.string("apiVersion").isEmpty()) {
            throw new Unrenderable(
                    name + " holds something without apiVersion and kind, which is no object of Kubernetes");
        }
        if (object.string("kind").endsWith("List") && object.get("items") instanceof Json.Arr items) {
            for (var item : items.items()) {
                add(item, name, objects);
            }
        } else {
            objects.add(new Rendered.Entry(name, object));
        }
    }
}
