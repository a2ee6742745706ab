package dev.towtank.node.images;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.node.images.registry.ImageReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A user's own image map, to which entries are added without a change to what is there.
public final class ImageMapFile {

    private static final Pattern HEADING = Pattern.compile("images:\\s*(#.*)?");

    private ImageMapFile() {}

    /// Lets this machine's own programs stand for images.
    ///
    /// @throws IOException the file is none that lines can be added to; it is as it was
    public static void add(Path file, List<ImageReference> images) throws IOException {
        var lines = Files.exists(file) ? new ArrayList<>(Files.readAllLines(file)) : new ArrayList<String>();
        int heading = heading(lines).orElse(-1);
        if (heading < 0) {
            if (!lines.isEmpty() && parsed(lines, file).has("images")) {
                throw new IOException(file + ": its list of images is not one entry per line, so none is added");
            }
            heading = lines.size();
            lines.add("images:");
        }
        var indent = indent(lines, heading + 1);
        var added = new ArrayList<String>();
        for (var image : images) {
            added.add(indent + "- match: " + match(image));
            added.add(indent + "  root: host");
            added.add(indent + "  shell: " + shell(image));
        }
        lines.addAll(heading + 1, added);
        replace(file, lines);
    }

    private static Optional<Integer> heading(List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            if (HEADING.matcher(lines.get(i)).matches()) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    /// As the first entry below has it.
    private static String indent(List<String> lines, int from) {
        return lines.subList(from, lines.size()).stream()
                .filter(line -> line.stripLeading().startsWith("- "))
                .findFirst()
                .map(line -> line.substring(0, line.indexOf('-')))
                .orElse("  ");
    }

    private static String match(ImageReference image) {
        return image.names(List.of("docker.io")).getLast();
    }

    private static String shell(ImageReference image) {
        return (image.path() + ":" + image.tag()).contains("alpine") ? "busybox" : "dash";
    }

    private static Json.Obj parsed(List<String> lines, Path file) throws IOException {
        try {
            return YamlText.parse(String.join("\n", lines)) instanceof Json.Obj map ? map : Json.Obj.EMPTY;
        } catch (JsonText.Malformed e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /// Only by what can be read again.
    private static void replace(Path file, List<String> lines) throws IOException {
        var directory = Optional.ofNullable(file.toAbsolutePath().getParent()).orElseThrow();
        var draft = Files.createTempFile(directory, ".images", ".yaml");
        try {
            Files.write(draft, lines);
            MappedImages.check(draft);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
