package dev.towtank.node.volumes;

import dev.towtank.node.linux.FileTree;
import java.io.IOException;
import java.nio.file.Path;

/// Directories that containers have written to.
public final class Directories {

    private Directories() {}

    /// Deletes without following links, and what has no permission to be listed as well.
    public static void deleteAll(Path root) throws IOException {
        FileTree.delete(root);
    }
}
