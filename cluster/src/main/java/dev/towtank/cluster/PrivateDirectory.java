package dev.towtank.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A directory that only its user can look into.
final class PrivateDirectory {

    private PrivateDirectory() {}

    static Path make(Path directory) throws IOException {
        var mine = PosixFilePermissions.fromString("rwx------");
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(mine));
        }
        Files.setPosixFilePermissions(directory, mine);
        return directory;
    }
}
