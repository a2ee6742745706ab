package dev.towtank.node.volumes;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// Paths that must stay inside of a volume, whatever its owner has put there.
public final class InnerPath {

    private static final int LONGEST = 4096;

    private InnerPath() {}

    /// A relative path without steps back.
    static String checked(String path) throws VolumeProblem {
        if (path.isEmpty() || path.length() > LONGEST || path.indexOf('\0') >= 0) {
            throw new VolumeProblem("invalid path: must not be empty or longer than " + LONGEST + " bytes");
        }
        if (path.startsWith("/")) {
            throw new VolumeProblem("invalid path: must be relative path: " + path);
        }
        for (var part : path.split("/", -1)) {
            if (part.equals("..")) {
                throw new VolumeProblem("invalid path: must not contain '..': " + path);
            }
        }
        return Path.of(path).normalize().toString();
    }

    /// The place of a path in a directory, where no part of the way there is a symbolic link.
    ///
    /// @throws IOException one is
    public static Path resolve(Path directory, String path) throws IOException {
        var here = directory;
        if (path.isEmpty()) {
            return here;
        }
        for (var part : Path.of(path).normalize()) {
            if (part.toString().equals("..")) {
                throw new IOException("the path " + path + " leads out of its volume");
            }
            here = here.resolve(part);
            if (Files.isSymbolicLink(here)) {
                throw new IOException("the path " + path + " leads through a symbolic link");
            }
        }
        return here;
    }

    /// Like [#resolve], with the directories that are missing.
    public static Path makeDirectories(Path directory, String path) throws IOException {
        if (path.isEmpty()) {
            return directory;
        }
        resolve(directory, path);
        var here = directory;
        for (var part : Path.of(path).normalize()) {
            here = here.resolve(part);
            if (!Files.exists(here, LinkOption.NOFOLLOW_LINKS)) {
                make(here);
            } else if (Files.isSymbolicLink(here)) {
                throw new IOException("the path " + path + " leads through a symbolic link");
            }
        }
        return here;
    }

    private static void make(Path directory) throws IOException {
        try {
            Files.createDirectory(directory);
            FileModes.set(directory, 0777);
        } catch (FileAlreadyExistsException e) {
            if (Files.isSymbolicLink(directory)) {
                throw e;
            }
        }
    }
}
