package dev.towtank.controllers.git.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Beginnings of public addresses, and what takes their place: so that they can be answered by a mirror, or by what
/// lies on
/// this machine.
public record Rewrites(Map<String, String> places) {

    public static final Rewrites NONE = new Rewrites(Map.of());

    /// Not one of Tekton's; beside the settings of its resolvers.
    public static final String CONFIG_MAP = "towtank-resolvers";

    private static final String NAMESPACE = "tekton-pipelines-resolvers";

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

    /// Those of a cluster.
    public static Rewrites of(Cluster cluster, LogicalCluster where) {
        var data = cluster.get(ConfigMaps.KIND, new ObjectName(where, NAMESPACE, CONFIG_MAP))
                .map(map -> map.json().stringMap("data"))
                .orElse(Map.of());
        return read(data, where.equals(LogicalCluster.DEFAULT));
    }

    /// Where an address leads. Directories of this machine are read only where the administrator leads to them.
    public String reached(String url) throws GitProblem {
        if (!url.startsWith("file:")) {
            return of(url);
        }
        boolean isShown = !List.of(url.split("/", -1)).contains("..")
                && places.values().stream().anyMatch(url::startsWith);
        if (!isShown) {
            throw new GitProblem("directories of this machine are read only where 'rewrites' of ConfigMap " + NAMESPACE
                    + "/" + CONFIG_MAP + " leads to them");
        }
        return url;
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
