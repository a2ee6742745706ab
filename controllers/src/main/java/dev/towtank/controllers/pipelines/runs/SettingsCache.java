package dev.towtank.controllers.pipelines.runs;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.util.Map;

/// The [EngineSettings] as the ConfigMaps say now.
public final class SettingsCache {

    private final Cache maps;

    public SettingsCache(Caches caches) {
        maps = caches.of(ConfigMaps.KIND);
    }

    public EngineSettings of(LogicalCluster cluster) {
        var flags = data(cluster, "feature-flags");
        var defaults = data(cluster, "config-defaults");
        return flags.isEmpty() && defaults.isEmpty() ? EngineSettings.USUAL : new EngineSettings(flags, defaults);
    }

    private Map<String, String> data(LogicalCluster cluster, String name) {
        return maps.get(new ObjectName(cluster, EngineSettings.NAMESPACE, name))
                .map(map -> map.json().stringMap("data"))
                .orElse(Map.of());
    }
}
