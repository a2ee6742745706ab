package dev.towtank.app.lint.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.PatternSyntaxException;
import java.util.stream.StreamSupport;

/// Files that a `.gitignore` beside them or above leaves out: they are made on the spot, and no mistake when they are
/// not there.
public final class LeftOut {

    private static final int HIGHEST = 16;

    private LeftOut() {}

    public static boolean byGit(Path file) {
        var folder = file.toAbsolutePath().getParent();
        for (int i = 0; i < HIGHEST && folder != null; i++) {
            if (isIn(folder, file.toAbsolutePath())) {
                return true;
            }
            if (Files.exists(folder.resolve(".git"))) {
                return false;
            }
            folder = folder.getParent();
        }
        return false;
    }

    private static boolean isIn(Path folder, Path file) {
        var ignored = folder.resolve(".gitignore");
        try {
            return Files.isRegularFile(ignored)
                    && Files.readString(ignored).lines().anyMatch(line -> matches(line.strip(), folder, file));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static boolean matches(String line, Path folder, Path file) {
        if (line.isEmpty() || line.startsWith("#") || line.startsWith("!")) {
            return false;
        }
        var pattern = line.replaceFirst("^/", "").replaceFirst("/$", "");
        try {
            var matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
            var inside = folder.relativize(file);
            if (pattern.contains("/") || line.startsWith("/")) {
                // A folder is left out with all that is in it.
                for (var each = inside; each != null; each = each.getParent()) {
                    if (matcher.matches(each)) {
                        return true;
                    }
                }
                return false;
            }
            return StreamSupport.stream(inside.spliterator(), false).anyMatch(matcher::matches);
        } catch (PatternSyntaxException e) {
            return false;
        }
    }
}
