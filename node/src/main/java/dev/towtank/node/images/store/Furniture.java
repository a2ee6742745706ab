package dev.towtank.node.images.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The uppermost layer of every image: empty places for what each container gets of its own. Whatever an image has
/// there, links that lead elsewhere among it, is hidden by it.
final class Furniture {

    private static final List<String> DIRECTORIES = List.of("proc", "dev", "sys", "etc");
    private static final List<String> FILES = List.of("etc/hosts", "etc/hostname", "etc/resolv.conf");

    private Furniture() {}

    static void make(Path directory) throws IOException {
        Files.createDirectory(directory);
        for (var name : DIRECTORIES) {
            Files.createDirectory(directory.resolve(name));
        }
        for (var name : FILES) {
            Files.createFile(directory.resolve(name));
        }
    }
}
