package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import java.io.IOException;
import java.util.Locale;
import java.util.regex.Pattern;

/// Tasks and pipelines of a hub, by their names: an Artifact Hub, or what answers as one.
final class Hub {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,200}");

    private Hub() {}

    /// @param place `name`, `name:version`, or `catalog://name` with either behind it
    /// @param kind Task or Pipeline
    static String read(String place, String kind, PacSettings settings) throws IOException, InterruptedException {
        var word = kind.toLowerCase(Locale.ROOT);
        var catalog = "default";
        var name = place;
        int scheme = place.indexOf("://");
        if (scheme >= 0) {
            catalog = place.substring(0, scheme);
            name = place.substring(scheme + "://".length());
        }
        int colon = name.indexOf(':');
        var version = colon < 0 ? "" : name.substring(colon + 1);
        name = colon < 0 ? name : name.substring(0, colon);
        var hub = settings.hub(catalog);
        if (hub.isEmpty()) {
            throw new IllegalArgumentException("could not get details for catalog name: " + catalog);
        }
        if (!NAME.matcher(name).matches()
                || !(version.isEmpty() || NAME.matcher(version).matches())) {
            throw new IllegalArgumentException("no name of a " + word + " at a hub: " + place);
        }
        var owner = hub.get().name().isEmpty() || hub.get().name().equals("default")
                ? "tekton-catalog-" + word + "s"
                : hub.get().name();
        var address = hub.get().url() + "/api/v1/packages/tekton-" + word + "/" + Forges.encoded(owner) + "/" + name
                + (version.isEmpty() ? "" : "/" + version);
        var manifest =
                new ForgeHttp(ForgeHttp.Credential.NONE, () -> {}).get(address).string("data", "manifestRaw");
        if (manifest.isEmpty()) {
            throw new IOException("the hub has no manifest of the " + word + " " + name);
        }
        return manifest;
    }
}
