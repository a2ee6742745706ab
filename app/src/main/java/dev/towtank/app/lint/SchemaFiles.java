package dev.towtank.app.lint;

import dev.towtank.app.lint.SourceFiles.Content;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// CustomResourceDefinitions in files that are not looked at themselves.
public final class SchemaFiles {

    private SchemaFiles() {}

    /// @param named files and directories
    public static List<Json.Obj> definitions(List<Path> named) throws SourceFiles.Unusable {
        var found = new ArrayList<Json.Obj>();
        for (var file : SourceFiles.find(named)) {
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
