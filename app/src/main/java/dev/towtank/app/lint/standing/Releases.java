package dev.towtank.app.lint.standing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Folders that are called after versions: whoever keeps several works at the newest, and the others are as they were.
final class Releases {

    private static final Pattern VERSION = Pattern.compile("(.*?)[-_]?[vV]?(\\d+(?:[._]\\d+)+)([-_.].*)?");
    private static final int MOST = 2000;

    private final Map<Path, List<String>> listed = new HashMap<>();

    /// Whether there is a newer folder beside one that the file lies in.
    boolean hasNewer(String file) {
        for (var folder = Path.of(file).getParent(); folder != null; folder = folder.getParent()) {
            var name = String.valueOf(folder.getFileName());
            if (VERSION.matcher(name).matches() && beside(folder).stream().anyMatch(other -> isNewer(other, name))) {
                return true;
            }
        }
        return false;
    }

    private List<String> beside(Path folder) {
        var above = folder.toAbsolutePath().normalize().getParent();
        return above == null ? List.of() : listed.computeIfAbsent(above, Releases::list);
    }

    private static List<String> list(Path folder) {
        try (var files = Files.list(folder)) {
            return files.limit(MOST)
                    .filter(Files::isDirectory)
                    .map(each -> String.valueOf(each.getFileName()))
                    .toList();
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
