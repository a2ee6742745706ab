package dev.towtank.node.volumes;

import java.nio.file.Path;

/// Paths that must stay inside of a volume, whatever its owner has put there.
final class InnerPath {

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
}
