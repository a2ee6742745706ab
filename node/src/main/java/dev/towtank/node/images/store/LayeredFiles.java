package dev.towtank.node.images.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The files of an image as its layers together show them, looked up without putting them over each other.
///
/// @param root with a link to each layer, see [StoredImage]
public record LayeredFiles(Path root, int layers) {

    /// In which layer a path lies.
    ///
    /// @param path begins with a slash, and leads through no link
    public Optional<Path> file(Path path) throws IOException {
        for (var layer : upperFirst()) {
            var found = look(root.resolve(layer), path);
            if (found.decided()) {
                return found.file();
            }
        }
        return Optional.empty();
    }

    /// Whose they are, of those that are not root's. Empty when that is not known, or there are too many.
    public Optional<List<FileOwners.Owner>> owners() throws IOException {
        return FileOwners.read(root.resolve(StoredImage.OWNERS));
    }

    /// The names of the links in the order that overlayfs wants.
    public List<String> upperFirst() {
        var names = new ArrayList<>(List.of("top"));
        for (int i = layers - 1; i >= 0; i--) {
            names.add(Integer.toString(i));
        }
        return names;
    }

    /// @param decided lower layers have no say
    private record Found(boolean decided, Optional<Path> file) {}

    private static Found look(Path layer, Path path) throws IOException {
        var here = layer;
        boolean covers = false;
        for (int i = 0; i < path.getNameCount(); i++) {
            covers |= i > 0 && isOpaque(here);
            here = here.resolve(path.getName(i));
            var facts = facts(here);
            if (facts.isEmpty()) {
                return new Found(covers, Optional.empty());
            }
            boolean isLast = i == path.getNameCount() - 1;
            if (facts.get().isOther() || (!isLast && !facts.get().isDirectory())) {
                return new Found(true, Optional.empty()); // taken away, or something else by now
            }
        }
        return new Found(true, Optional.of(here));
    }

    private static Optional<BasicFileAttributes> facts(Path file) throws IOException {
        try {
            return Optional.of(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    static boolean isOpaque(Path directory) throws IOException {
        return Files.getFileAttributeView(directory, UserDefinedFileAttributeView.class)
                .list()
                .contains(LayerUnpacking.OPAQUE_ATTRIBUTE);
    }
}
