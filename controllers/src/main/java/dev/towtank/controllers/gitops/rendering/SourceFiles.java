package dev.towtank.controllers.gitops.rendering;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.PatternSyntaxException;

/// The files that a source may read.
///
/// @param own of its repository, by their paths
/// @param others of the sources that it may refer to, by their `ref`
public record SourceFiles(Map<String, byte[]> own, Map<String, Map<String, byte[]>> others) {

    /// Those that a name means: one with a slash in front is at the root of the repository, `$values/…` in the source
    /// that
    /// is called so, and stars stand for many. None leads out of a repository.
    ///
    /// @param base what other names are relative to
    NavigableMap<String, byte[]> matching(String base, String name) {
        if (name.contains("://")) {
            throw new RenderError("the value file " + name + " is elsewhere, which is not served");
        }
        if (name.startsWith("$")) {
            int slash = name.indexOf('/');
            var reference = slash < 0 ? name : name.substring(0, slash);
            var files = others.get(reference.substring(1));
            if (slash < 0 || files == null) {
                throw new RenderError("there is no source with the ref " + reference + ", which the value file " + name
                        + " is to be in");
            }
            return among(files, Path.of(name.substring(slash + 1)));
        }
        return among(
                own,
                name.startsWith("/")
                        ? Path.of(name.substring(1))
                        : Path.of(base).resolve(name));
    }

    private static NavigableMap<String, byte[]> among(Map<String, byte[]> files, Path path) {
        var name = path.normalize().toString();
        var found = new TreeMap<String, byte[]>();
        var content = files.get(name);
        if (content != null) {
            found.put(name, content);
        } else if (name.matches(".*[*?\\[{].*")) {
            try {
                var matcher = FileSystems.getDefault().getPathMatcher("glob:" + name);
                files.forEach((file, bytes) -> {
                    if (matcher.matches(Path.of(file))) {
                        found.put(file, bytes);
                    }
                });
            } catch (PatternSyntaxException e) {
                throw new RenderError("the pattern " + name + " cannot be read: " + e.getDescription());
            }
        }
        return found;
    }
}
