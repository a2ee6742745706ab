package dev.towtank.app.lint.standing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Folders and files that are called after versions: whoever keeps several works at the newest, and the others are as
/// they were.
final class Releases {

    private static final Pattern VERSION = Pattern.compile("(.*?)[-_]?[vV]?(\\d+(?:[._]\\d+)+)([-_.].*)?");
    private static final int MOST = 2000;

    private final Map<Path, List<String>> listed = new HashMap<>();

    /// Whether there is a newer one beside the file, or beside a folder that it lies in.
    boolean hasNewer(String file) {
        for (var each = Path.of(file); each != null; each = each.getParent()) {
            var name = nameOf(each);
            if (VERSION.matcher(name).matches() && beside(each).stream().anyMatch(other -> isNewer(other, name))) {
                return true;
            }
        }
        return false;
    }

    /// What a file is ends its name, and is no part of a version.
    private static String nameOf(Path path) {
        return String.valueOf(path.getFileName()).replaceFirst("\\.(ya?ml|json)$", "");
    }

    private List<String> beside(Path folder) {
        var above = folder.toAbsolutePath().normalize().getParent();
        return above == null ? List.of() : listed.computeIfAbsent(above, Releases::list);
    }

    private static List<String> list(Path folder) {
        try (var files = Files.list(folder)) {
            return files.limit(MOST).map(Releases::nameOf).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /// Whether both are versions of one thing, and the first is the newer one.
    static boolean isNewer(String one, String other) {
        var first = VERSION.matcher(one);
        var second = VERSION.matcher(other);
        if (!first.matches() || !second.matches() || !first.group(1).equals(second.group(1))) {
            return false;
        }
        var left = first.group(2).split("[._]", -1);
        var right = second.group(2).split("[._]", -1);
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            int order = left[i].length() == right[i].length()
                    ? left[i].compareTo(right[i])
                    : Integer.compare(left[i].length(), right[i].length());
            if (order != 0) {
                return order > 0;
            }
        }
        return left.length > right.length;
    }
}
