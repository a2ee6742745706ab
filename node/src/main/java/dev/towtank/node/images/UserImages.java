package dev.towtank.node.images;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.node.images.registry.RegistryPlaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A user's own image map, read again when its file has changed: whoever is told of a missing image adds a line while
/// the server runs. Where the file cannot be understood any more, what it said before stays.
final class UserImages {

    private final Path file;

    // Guarded by this object's monitor.
    private String seen;
    private Said said = Said.NOTHING;
    private Optional<String> problem = Optional.empty();

    /// What a map of images says, a user's or the one that is built in.
    record Said(List<ImageEntry> entries, List<String> mirrors, RegistryPlaces places) {
        static final Said NOTHING = new Said(List.of(), List.of(), RegistryPlaces.NONE);

        Said {
            entries = List.copyOf(entries);
            mirrors = List.copyOf(mirrors);
        }

        /// @param file for messages
        static Said read(String text, String file) throws IOException {
            try {
                if (!(YamlText.parse(text) instanceof Json.Obj map)) {
                    throw new IOException(file + ": this must be a map with 'images' in it");
                }
                var entries = new ArrayList<ImageEntry>();
                for (var item : map.array("images")) {
                    entries.add(ImageEntry.read(item, file + ": images[" + entries.size() + "]"));
                }
                return new Said(
                        entries, map.array("mirrors").strings(), RegistryPlaces.read(map.array("registries"), file));
            } catch (JsonText.Malformed e) {
                throw new IOException(file + ": " + e.getMessage(), e);
            }
        }
    }

    /// @throws IOException the file cannot be read or understood; the message says where it is wrong
    UserImages(Path file) throws IOException {
        this.file = file;
        seen = look();
        said = read();
    }

    synchronized Said now() {
        var state = look();
        if (!state.equals(seen)) {
            seen = state;
            try {
                said = read();
                problem = Optional.empty();
            } catch (IOException e) {
                problem = Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return said;
    }

    /// Why the file counts as it was before.
    synchronized Optional<String> problem() {
        return problem;
    }

    Path file() {
        return file;
    }

    private Said read() throws IOException {
        return Files.exists(file) ? Said.read(Files.readString(file), file.toString()) : Said.NOTHING;
    }

    /// Another one after each change.
    private String look() {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            return "unreadable";
        }
    }
}
