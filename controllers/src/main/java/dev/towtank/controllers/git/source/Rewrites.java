package dev.towtank.controllers.git.source;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Beginnings of public addresses, and what takes their place: so that they can be answered by a mirror, or by what
/// lies on
/// this machine.
public record Rewrites(Map<String, String> places) {

    public static final Rewrites NONE = new Rewrites(Map.of());

    /// Not one of Tekton's; beside the settings of its resolvers.
    public static final String CONFIG_MAP = "towtank-resolvers";

    public Rewrites {
        places = Map.copyOf(places);
    }

    /// @param data of the ConfigMap; its `rewrites` is a YAML map
    /// @param isTrusted whether whoever wrote it may have the server read this machine's own directories
    public static Rewrites read(Map<String, String> data, boolean isTrusted) {
        var places = new LinkedHashMap<String, String>();
        try {
            if (YamlText.parse(data.getOrDefault("rewrites", "")) instanceof Json.Obj map) {
                map.forEach((from, to) -> {
                    if (to instanceof Json.Str(var text) && (isTrusted || !isLocal(text))) {
                        places.put(from, text);
                    }
                });
            }
        } catch (JsonText.Malformed e) {
            return NONE;
        }
        return new Rewrites(places);
    }

    private static boolean isLocal(String address) {
        return address.startsWith("file:") || address.startsWith("oci:") || address.startsWith("/");
    }

    /// The longest beginning counts.
    public String of(String address) {
        return places.entrySet().stream()
                .filter(place -> address.startsWith(place.getKey()))
                .max(Comparator.comparingInt(place -> place.getKey().length()))
                .map(place ->
                        place.getValue() + address.substring(place.getKey().length()))
                .orElse(address);
    }
}
