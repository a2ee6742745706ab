package dev.towtank.controllers.gitops.rendering;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.PatternSyntaxException;

/// Objects that stand in files as they are.
final class DirectorySource {

    private DirectorySource() {}

    /// @param files those below the path
    static List<Json.Obj> render(SourceQuestion question, Map<String, byte[]> files) {
        var options = question.source().object("directory");
        if (options.has("jsonnet")) {
            throw new RenderError("spec.source.directory.jsonnet is not served");
        }
        var include = options.string("include");
        var exclude = options.string("exclude");
        var objects = new ArrayList<Json.Obj>();
        files.forEach((file, content) -> {
            boolean isWanted = file.matches(".*\\.(yaml|yml|json)")
                    && (options.flag("recurse") || !file.contains("/"))
                    && (include.isEmpty() || matches(include, file))
                    && (exclude.isEmpty() || !matches(exclude, file));
            if (isWanted) {
                read(file, content, objects);
            }
        });
        return objects;
    }

    /// A star stands for slashes as well, as it does for Argo CD.
    private static boolean matches(String pattern, String file) {
        try {
            var matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern.replaceAll("\\*+", "**"));
            return matcher.matches(Path.of(file));
        } catch (PatternSyntaxException e) {
            throw new RenderError("the pattern " + pattern + " cannot be read: " + e.getDescription());
        }
    }

    private static void read(String file, byte[] content, List<Json.Obj> objects) {
        try {
            for (var document : YamlText.parseAll(content)) {
                switch (document) {
                    case Json.Obj object -> objects.add(object);
                    case Json.Null _ -> {}
                    case Json _ -> throw new RenderError("Failed to unmarshal \"" + file + "\": it holds no object");
                }
            }
        } catch (JsonText.Malformed e) {
            throw new RenderError("Failed to unmarshal \"" + file + "\": " + e.getMessage());
        }
    }
}
