package dev.towtank.node.images.registry;

import dev.towtank.cluster.registry.RegistryHost;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Where images really are: what a user says in `registries` of `images.yaml`, the longest `match` first.
///
/// @param own addresses of registries of our own
public record RegistryPlaces(List<Rule> rules, List<String> own) {

    public static final RegistryPlaces NONE = new RegistryPlaces(List.of(), List.of());
    private static final Set<String> FIELDS = Set.of("match", "at", "ca", "plain-http");
    private static final String HUB = "docker.io";

    public RegistryPlaces {
        rules = List.copyOf(rules);
        own = List.copyOf(own);
    }

    /// @param match the beginning of names: a registry, or a registry and a path
    /// @param at what stands instead; the same without
    /// @param authorities a file with certificates to trust there
    /// @param plain without encryption
    public record Rule(String match, Optional<String> at, Optional<Path> authorities, boolean plain) {}

    /// @param host of the registry
    /// @param repository in it
    /// @param name by which passwords are found
    public record Place(String scheme, String host, String repository, String name, Optional<Path> authorities) {}

    /// @param where for messages
    public static RegistryPlaces read(Json.Arr list, String where) throws IOException {
        var rules = new ArrayList<Rule>();
        for (var item : list) {
            var spot = where + ": registries[" + rules.size() + "]";
            if (!(item instanceof Json.Obj rule) || rule.string("match").isEmpty()) {
                throw new IOException(spot + ": 'match' must say which images this is about, such as docker.io");
            }
            for (var key : rule.keys()) {
                if (!FIELDS.contains(key)) {
                    throw new IOException(spot + ": unknown field '" + key + "'; there are "
                            + FIELDS.stream().sorted().toList());
                }
            }
            if (rule.has("at") && ImageReference.parse(rule.string("at") + "/x").isEmpty()) {
                throw new IOException(
                        spot + ": 'at' must be a registry, or one with a path, such as mirror.example/hub");
            }
            rules.add(new Rule(
                    rule.string("match"), text(rule, "at"), text(rule, "ca").map(Path::of), rule.flag("plain-http")));
        }
        return new RegistryPlaces(rules, List.of());
    }

    /// With registries of our own on the loopback address, who know pods by their tokens.
    public RegistryPlaces withOwn(Map<String, String> addresses) {
        var all = new ArrayList<>(rules);
        addresses.forEach((match, at) -> all.add(new Rule(match, Optional.of(at), Optional.empty(), true)));
        return new RegistryPlaces(all, List.copyOf(addresses.values()));
    }

    /// Whether an image is in a registry of our own; its address then.
    public Optional<String> own(ImageReference image) {
        return Optional.of(of(image).host()).filter(own::contains);
    }

    private static Optional<String> text(Json.Obj rule, String name) {
        return Optional.of(rule.string(name)).filter(value -> !value.isEmpty());
    }

    public Place of(ImageReference image) {
        var name = image.name();
        var rule = rules.stream()
                .filter(each -> (name + "/").startsWith(each.match + "/"))
                .reduce((a, b) -> b.match.length() > a.match.length() ? b : a);
        var actual = rule.flatMap(it -> it.at.map(at -> at + name.substring(it.match.length())))
                .orElse(name);
        int slash = actual.indexOf('/');
        var host = actual.substring(0, slash);
        var path = actual.substring(slash + 1);
        boolean isHub = host.equals(HUB);
        boolean isPlain = rule.filter(Rule::plain).isPresent();
        return new Place(
                isPlain ? "http" : new RegistryHost(host).scheme(),
                isHub ? "registry-1.docker.io" : host,
                isHub && !path.contains("/") ? "library/" + path : path,
                actual,
                rule.flatMap(Rule::authorities));
    }
}
