package dev.towtank.node.sandbox;

import dev.towtank.node.linux.FileTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/// Makes directories that their owner may not look into, and deletes them.
final class Removal {

    private static final List<String> MODES = List.of("---------", "r--------", "r-x------", "-wx------", "rw-------");

    private Removal() {}

    public static void main(String[] arguments) throws Exception {
        var tree = Path.of(arguments[0]).resolve("tree");
        for (var mode : MODES) {
            var inner = Files.createDirectories(tree.resolve(mode + "/inner"));
            Files.writeString(inner.resolve("file"), "x");
            Files.createDirectory(inner.resolve("empty"));
            for (var directory : List.of(inner, tree.resolve(mode))) {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
            }
        }
        FileTree.delete(tree);
    }
}
