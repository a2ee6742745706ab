package dev.towtank.node.images;

import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An entry of the image map.
///
/// @param needs programs, with the Debian package that has them
/// @param tools names, with who may stand for them
record ImageEntry(
        List<ImagePattern> matches,
        Source root,
        Image.Shell shell,
        List<String> entrypoint,
        List<String> command,
        String user,
        String workingDirectory,
        Map<String, String> environment,
        Map<String, List<String>> tools,
        Map<String, String> needs) {

    private static final Set<String> FIELDS = Set.of(
            "match", "root", "shell", "entrypoint", "command", "user", "workingDirectory", "env", "tools", "needs");

    sealed interface Source {
        record Host() implements Source {}

        record Directory(Path path) implements Source {}

        record Archive(Path path) implements Source {}
    }

    /// @param where for messages
    static ImageEntry read(Json json, String where) throws IOException {
        if (!(json instanceof Json.Obj entry)) {
            throw new IOException(where + ": this must be a map with 'match' in it");
        }
        for (var key : entry.keys()) {
            if (!FIELDS.contains(key)) {
                throw new IOException(where + ": unknown field '" + key + "'; there are " + FIELDS.stream().sorted().toList());
            }
        }
        var patterns = texts(entry.get("match"));
        if (patterns.isEmpty()) {
            throw new IOException(where + ": 'match' must name an image");
        }
        var tools = new HashMap<String, List<String>>();
        entry.object("tools").forEach((name, value) -> tools.put(name, texts(value)));
        return new ImageEntry(
                patterns.stream().map(ImagePattern::of).toList(),
                source(entry.get("root"), where),
                shell(entry.string("shell"), where),
                texts(entry.get("entrypoint")),
                texts(entry.get("command")),
                text(entry.get("user")),
                entry.string("workingDirectory"),
                entry.stringMap("env"),
                tools,
                entry.stringMap("needs"));
    }

    private static Source source(@Nullable Json value, String where) throws IOException {
        return switch (value) {
            case null -> new Source.Host();
            case Json.Str(var name) when name.equals("host") -> new Source.Host();
            case Json.Obj object when !object.string("directory").isEmpty() ->
                new Source.Directory(Path.of(object.string("directory")));
            case Json.Obj object when !object.string("tar").isEmpty() -> new Source.Archive(Path.of(object.string("tar")));
            default -> throw new IOException(where + ": 'root' must be host, or {directory: path}, or {tar: path}");
        };
    }

    private static Image.Shell shell(String name, String where) throws IOException {
        if (name.isEmpty()) {
            return Image.Shell.OWN;
        }
        for (var shell : Image.Shell.values()) {
            if (shell.name().toLowerCase(Locale.ROOT).equals(name)) {
                return shell;
            }
        }
        throw new IOException(where + ": 'shell' must be dash, busybox, bash or own, not '" + name + "'");
    }

    private static List<String> texts(@Nullable Json value) {
        return switch (value) {
            case null -> List.of();
            case Json.Arr array -> array.strings();
            case Json.Str(var one) -> List.of(one);
            default -> List.of();
        };
    }

    private static String text(@Nullable Json value) {
        return switch (value) {
            case Json.Str(var name) -> name;
            case Json.Int(var number) -> Long.toString(number);
            case null, default -> "";
        };
    }
}
