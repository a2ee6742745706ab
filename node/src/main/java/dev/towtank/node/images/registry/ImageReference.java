package dev.towtank.node.images.registry;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// An image's name in its parts.
///
/// @param registry as written, or `docker.io`
/// @param path within the registry, without Docker Hub's `library/`
/// @param tag `latest` when nothing is said, empty when there is a digest alone
/// @param digest `sha256:…`, or empty
public record ImageReference(String registry, String path, String tag, String digest) {

    private static final Pattern FORM = Pattern.compile("(?<name>[a-zA-Z0-9][a-zA-Z0-9._:/-]*?)"
            + "(?::(?<tag>[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}))?(?:@(?<digest>[a-z0-9+._-]+:[0-9a-fA-F]{32,}))?");
    private static final Pattern PATH = Pattern.compile("[a-z0-9]+(?:(?:[._]|__|-+|/)[a-z0-9]+)*");
    private static final Pattern HOST = Pattern.compile("[a-zA-Z0-9.-]+(:[0-9]{1,5})?");
    private static final String HUB = "docker.io";
    private static final String LIBRARY = "library/";

    /// Empty when it is no name of an image.
    public static Optional<ImageReference> parse(String text) {
        var matcher = FORM.matcher(text);
        if (text.length() > 1024 || !matcher.matches()) {
            return Optional.empty();
        }
        var name = matcher.group("name");
        int slash = name.indexOf('/');
        var first = slash < 0 ? "" : name.substring(0, slash);
        boolean host = first.contains(".") || first.contains(":") || first.equals("localhost");
        var path = host ? name.substring(slash + 1) : name;
        if (!PATH.matcher(path).matches() || (host && !HOST.matcher(first).matches())) {
            return Optional.empty();
        }
        var digest = Optional.ofNullable(matcher.group("digest")).orElse("");
        var tag = Optional.ofNullable(matcher.group("tag")).orElse(digest.isEmpty() ? "latest" : "");
        boolean isHub = !host || first.equals(HUB) || first.equals("index.docker.io");
        var shortened = isHub && path.startsWith(LIBRARY) ? path.substring(LIBRARY.length()) : path;
        return Optional.of(new ImageReference(isHub ? HUB : first, shortened, tag, digest));
    }

    /// The names under which an entry may know it: with its registry, and without where that is Docker Hub's.
    public List<String> names(List<String> mirrors) {
        var full = registry + "/" + path;
        for (var mirror : mirrors) {
            if (full.startsWith(mirror + "/")) {
                var rest = full.substring(mirror.length() + 1);
                return List.of(full, rest.startsWith(LIBRARY) ? rest.substring(LIBRARY.length()) : rest);
            }
        }
        return List.of(full);
    }

    /// With its registry, and without its version.
    public String name() {
        return registry + "/" + path;
    }

    /// By which it is asked for: a digest is stronger than a tag.
    public String version() {
        return digest.isEmpty() ? tag : digest;
    }

    /// The same for all ways to write one image.
    public String canonical() {
        return name() + (digest.isEmpty() ? ":" + tag : "@" + digest);
    }
}
