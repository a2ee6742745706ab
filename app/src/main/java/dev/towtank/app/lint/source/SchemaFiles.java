package dev.towtank.app.lint.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.towtank.app.lint.source.SourceFiles.Content;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// CustomResourceDefinitions in files that are not looked at themselves.
public final class SchemaFiles {

    private static final List<String> BUNDLED = List.of("certificates.yaml", "monitoring.yaml", "routes.yaml");

    private SchemaFiles() {}

    /// @param named files and directories
    public static List<Json.Obj> definitions(List<Path> named) throws SourceFiles.Unusable {
        var found = new ArrayList<Json.Obj>();
        for (var file : SourceFiles.find(named, true).files()) {
            if (SourceFiles.read(file) instanceof Content.Text(var source)) {
                try {
                    of(YamlText.parseAll(source.text()), found);
                } catch (JsonText.Malformed e) {
                    throw new SourceFiles.Unusable(file + ": " + e.getMessage());
                }
            }
        }
        return found;
    }

    /// Those of other projects that come with the program, in our words.
    public static List<Json.Obj> bundled() {
        var found = new ArrayList<Json.Obj>();
        for (var name : BUNDLED) {
            try (var in = SchemaFiles.class.getResourceAsStream("kinds/" + name)) {
                of(YamlText.parseAll(new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)), found);
            } catch (IOException | JsonText.Malformed e) {
                throw new IllegalStateException("kinds/" + name, e);
            }
        }
        return found;
    }

    private static void of(List<Json> documents, List<Json.Obj> found) {
        for (var document : documents) {
            if (document instanceof Json.Obj object) {
                if (object.string("kind").equals("CustomResourceDefinition")) {
                    found.add(object);
                } else if (object.string("kind").endsWith("List")) {
                    of(List.copyOf(object.objects("items")), found);
                }
            }
        }
    }
}
