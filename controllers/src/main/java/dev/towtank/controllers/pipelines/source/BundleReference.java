package dev.towtank.controllers.pipelines.source;

import dev.towtank.cluster.registry.RegistryHost;
import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import java.util.regex.Pattern;

/// Which image of which registry.
///
/// @param registry host and port
/// @param version a tag, or a digest such as `sha256:…`
record BundleReference(String registry, String repository, String version) {

    private static final String PUBLIC = "index.docker.io";
    private static final Pattern REPOSITORY = Pattern.compile("[a-z0-9._-]+(?:/[a-z0-9._-]+)*");
    private static final Pattern REGISTRY = Pattern.compile("[A-Za-z0-9.-]+(?::[0-9]+)?|\\[[0-9a-fA-F:]+](?::[0-9]+)?");
    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");
    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

    static BundleReference parse(String text) throws Problem {
        int at = text.indexOf('@');
        var name = at < 0 ? text : text.substring(0, at);
        int colon = name.lastIndexOf(':');
        boolean hasTag = colon > name.lastIndexOf('/');
        var tag = hasTag ? name.substring(colon + 1) : "latest";
        var version = at < 0 ? tag : text.substring(at + 1);
        var place = hasTag ? name.substring(0, colon) : name;
        int slash = place.indexOf('/');
        boolean hasRegistry = slash > 0 && isRegistry(place.substring(0, slash));
        var registry = hasRegistry ? place.substring(0, slash) : PUBLIC;
        var path = hasRegistry ? place.substring(slash + 1) : place;
        var repository = registry.equals(PUBLIC) && !path.contains("/") ? "library/" + path : path;
        if (!REGISTRY.matcher(registry).matches()
                || !REPOSITORY.matcher(repository).matches()
                || !TAG.matcher(tag).matches()
                || (at >= 0 && !DIGEST.matcher(version).matches())) {
            throw Problem.invalid("invalid bundle reference: could not parse reference: " + text);
        }
        return new BundleReference(registry, repository, version);
    }

    private static boolean isRegistry(String first) {
        return first.contains(".") || first.contains(":") || first.equals("localhost");
    }

    boolean isByDigest() {
        return version.startsWith("sha256:");
    }

    /// Without the version.
    String name() {
        return registry + "/" + repository;
    }

    String scheme() {
        return new RegistryHost(registry).scheme();
    }
}
