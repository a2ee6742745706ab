package dev.towtank.node.sandbox;

import dev.towtank.node.images.store.LayeredFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where a path of a container leads through the links of its root, before anything is mounted there. Whoever prepares
/// the mounts stands outside of that root: a link that begins with a slash would lead it elsewhere.
///
/// @param links those that are made in the root, by their paths
/// @param directories of the machine that are in the root, by their paths there; no container changes them
/// @param layers what the root is made of otherwise
record RootPaths(Map<String, String> links, Map<String, Path> directories, Optional<LayeredFiles> layers) {

    private static final int MOST_LINKS = 40;

    RootPaths(Map<String, String> links, Map<String, Path> directories) {
        this(links, directories, Optional.empty());
    }

    RootPaths {
        links = Map.copyOf(links);
        directories = Map.copyOf(directories);
    }

    /// @throws IOException it is no path that a container may name
    String resolved(String path) throws IOException {
        check(path);
        var rest = new ArrayDeque<>(List.of(path.split("/", -1)));
        var here = Path.of("/");
        int followed = 0;
        while (!rest.isEmpty()) {
            var part = rest.removeFirst();
            if (part.equals("..")) {
                here = above(here);
            } else if (!part.isEmpty() && !part.equals(".")) {
                var next = here.resolve(part);
                var link = link(next);
                if (link.isEmpty()) {
                    here = next;
                } else if (++followed > MOST_LINKS) {
                    throw new IOException("the path " + path + " leads through too many links");
                } else {
                    here = link.startsWith("/") ? Path.of("/") : here;
                    List.of(link.split("/", -1)).reversed().forEach(rest::addFirst);
                }
            }
        }
        return here.toString();
    }

    /// The links in there may lead back, the path itself may not.
    static void check(String path) throws IOException {
        if (!path.startsWith("/")) {
            throw new IOException("the path \"" + JailText.shown(path) + "\" does not begin with a slash");
        }
        if (JailText.hasControls(path)) {
            throw new IOException("the path \"" + JailText.shown(path) + "\" holds a control character");
        }
        if (List.of(path.split("/", -1)).contains("..")) {
            throw new IOException("the path \"" + JailText.shown(path) + "\" holds '..'");
        }
    }

    private static Path above(Path path) {
        var parent = path.getParent();
        return parent == null ? path : parent;
    }

    private String link(Path path) throws IOException {
        var made = links.get(path.toString());
        if (made != null) {
            return made;
        }
        for (var directory : directories.entrySet()) {
            if (path.startsWith(directory.getKey())) {
                var file =
                        directory.getValue().resolve(Path.of(directory.getKey()).relativize(path));
                return Files.isSymbolicLink(file) ? Files.readSymbolicLink(file).toString() : "";
            }
        }
        return layers.isEmpty() ? "" : link(layers.get().file(path));
    }

    private static String link(Optional<Path> file) throws IOException {
        return file.isPresent() && Files.isSymbolicLink(file.get())
                ? Files.readSymbolicLink(file.get()).toString()
                : "";
    }
}
