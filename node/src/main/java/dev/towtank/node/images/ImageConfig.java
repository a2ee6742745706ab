package dev.towtank.node.images;

import dev.towtank.model.Json;
import dev.towtank.node.images.registry.ImageReference;
import dev.towtank.node.images.store.LayeredFiles;
import dev.towtank.node.images.store.StoredImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What an image's configuration says of the containers that run on it.
public final class ImageConfig {

    private static final int LARGEST_LIST = 1 << 20;

    private ImageConfig() {}

    static Image image(String name, ImageReference reference, StoredImage stored) {
        var files = new LayeredFiles(stored.root(), stored.layers());
        var config = stored.config();
        return new Image(
                name,
                new Image.Root.Layers(files, reference.name() + "@" + stored.digest()),
                Image.Shell.OWN,
                texts(config, "Entrypoint"),
                texts(config, "Cmd"),
                user(config.string("User"), files),
                config.string("WorkingDir"),
                variables(texts(config, "Env")),
                Map.of(),
                config.string("StopSignal"));
    }

    public static List<String> texts(Json.Obj config, String name) {
        return config.get(name) instanceof Json.Arr array ? array.strings() : List.of();
    }

    public static Map<String, String> variables(List<String> lines) {
        var variables = new LinkedHashMap<String, String>();
        for (var line : lines) {
            var parts = line.split("=", 2);
            variables.put(parts[0], parts.length > 1 ? parts[1] : "");
        }
        return variables;
    }

    /// In numbers, as the image's own lists of users and groups say.
    private static String user(String text, LayeredFiles files) {
        var parts = text.split(":", 2);
        if (isNumber(parts[0]) && (parts.length == 1 || isNumber(parts[1]))) {
            return text;
        }
        var known = entry(files, "/etc/passwd", parts[0]);
        var uid = isNumber(parts[0])
                ? parts[0]
                : known.map(fields -> fields.get(2)).orElse(parts[0]);
        var gid = parts.length == 1
                ? known.map(fields -> fields.get(3)).orElse("0")
                : isNumber(parts[1])
                        ? parts[1]
                        : entry(files, "/etc/group", parts[1])
                                .map(fields -> fields.get(2))
                                .orElse(parts[1]);
        return uid + ":" + gid;
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]{0,9}");
    }

    private static Optional<List<String>> entry(LayeredFiles files, String list, String name) {
        try {
            var file = files.file(Path.of(list));
            if (file.isEmpty()
                    || !Files.isRegularFile(file.get(), LinkOption.NOFOLLOW_LINKS)
                    || Files.size(file.get()) > LARGEST_LIST) {
                return Optional.empty();
            }
            return new String(Files.readAllBytes(file.get()), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> List.of(line.split(":", -1)))
                    .filter(fields -> fields.size() > 3 && fields.getFirst().equals(name))
                    .filter(fields -> isNumber(fields.get(2)) && isNumberOrNames(list, fields.get(3)))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Behind the number of a group are names.
    private static boolean isNumberOrNames(String list, String field) {
        return list.endsWith("group") || isNumber(field);
    }
}
