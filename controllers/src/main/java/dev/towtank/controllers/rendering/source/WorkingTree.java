package dev.towtank.controllers.rendering.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The folder of a git repository that somebody works in, and where it came from.
///
/// @param remotes in a form in which the same repository looks the same
public record WorkingTree(Path root, List<String> remotes) {
    private static final Pattern URL = Pattern.compile("(?m)^\\s*url\\s*=\\s*(\\S+)\\s*$");

    /// The one that a file is in.
    public static Optional<WorkingTree> of(Path file) throws IOException {
        for (var folder = file.toRealPath(); folder != null; folder = folder.getParent()) {
            var git = folder.resolve(".git");
            if (Files.exists(git)) {
                return Optional.of(new WorkingTree(folder, remotes(git)));
            }
        }
        return Optional.empty();
    }

    private static List<String> remotes(Path git) throws IOException {
        var config = directory(git).resolve("config");
        var urls = new ArrayList<String>();
        if (Files.isRegularFile(config)) {
            var matcher = URL.matcher(Files.readString(config));
            while (matcher.find()) {
                urls.add(normal(matcher.group(1)));
            }
        }
        return urls;
    }

    // One tree of several has a file there, which says where the others are.
    private static Path directory(Path git) throws IOException {
        if (Files.isDirectory(git)) {
            return git;
        }
        var own = git.resolveSibling(
                Files.readString(git).replaceFirst("^gitdir:", "").strip());
        var common = own.resolve("commondir");
        return Files.isRegularFile(common)
                ? own.resolve(Files.readString(common).strip()).normalize()
                : own;
    }

    /// Whether an address is that of this repository.
    public boolean isAt(String url) {
        return remotes.contains(normal(url));
    }

    private static String normal(String url) {
        return url.replaceFirst("^[a-z+]+://", "")
                .replaceFirst("^[^/@]+@", "")
                .replaceFirst("^([A-Za-z0-9.-]+):(?![0-9]+/)", "$1/")
                .replaceFirst("/+$", "")
                .replaceFirst("\\.git$", "");
    }
}
