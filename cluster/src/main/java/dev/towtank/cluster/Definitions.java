package dev.towtank.cluster;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// Reads the objects that a feature brings with it from files on its class path: in YAML, or, where there is much to
/// read at every start, in JSON, which is quicker.
public final class Definitions {

    private Definitions() {}

    /// The objects of these files, in order; a file may hold several documents.
    ///
    /// @param feature the files are found relative to its package
    /// @param files such as `crds/pipelines.yaml`
    public static List<Json.Obj> read(Class<?> feature, String... files) {
        var objects = new ArrayList<Json.Obj>();
        for (var file : files) {
            var text = bytes(feature, file);
            for (var document : file.endsWith(".json") ? List.of(JsonText.parse(text)) : YamlText.parseAll(text)) {
                if (document instanceof Json.Obj object && object.size() > 0) {
                    objects.add(object);
                }
            }
        }
        return objects;
    }

    private static byte[] bytes(Class<?> feature, String file) {
        try (var in = feature.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("there is no file " + file + " beside " + feature.getName());
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
