package dev.towtank.controllers.pipelines.runs;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.pipelines.api.settings.Defaults;
import dev.towtank.controllers.pipelines.api.settings.EventSettings;
import dev.towtank.controllers.pipelines.api.settings.FeatureFlags;
import dev.towtank.controllers.pipelines.api.settings.ResolverFlags;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The [Settings] as the ConfigMaps say now, read again only when one of them has changed.
public final class SettingsCache {

    /// What is forgotten is read again; this bounds the memory that deleted clusters hold.
    private static final int MOST_CLUSTERS = 1024;

    private final Cache maps;
    private final Map<LogicalCluster, Known> known = new ConcurrentHashMap<>();

    private record Known(List<Optional<Resource>> maps, Settings settings) {}

    public SettingsCache(Caches caches) {
        this(caches.of(ConfigMaps.KIND));
    }

    /// @param maps the ConfigMaps
    public SettingsCache(Cache maps) {
        this.maps = maps;
    }

    public Settings of(LogicalCluster cluster) {
        var current = List.of(
                map(cluster, Defaults.CONFIG_MAP),
                map(cluster, FeatureFlags.CONFIG_MAP),
                map(cluster, EventSettings.CONFIG_MAP));
        var last = known.get(cluster);
        if (last != null && isSame(last.maps, current)) {
            return last.settings;
        }
        if (current.stream().allMatch(Optional::isEmpty)) {
            known.remove(cluster); // what every other cluster has needs no memory
            return Settings.INITIAL;
        }
        var settings = Settings.read(data(current.get(0)), data(current.get(1)), data(current.get(2)));
        if (known.size() >= MOST_CLUSTERS) {
            known.clear();
        }
        known.put(cluster, new Known(current, settings));
        return settings;
    }

    // An unchanged object is the same one in the cache; to compare two would mean to look at all they hold.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(List<Optional<Resource>> before, List<Optional<Resource>> now) {
        for (int i = 0; i < now.size(); i++) {
            if (before.get(i).orElse(null) != now.get(i).orElse(null)) {
                return false;
            }
        }
        return true;
    }

    public ResolverFlags resolvers(LogicalCluster cluster) {
        try {
            return ResolverFlags.read(resolver(cluster, ResolverFlags.CONFIG_MAP));
        } catch (Settings.Malformed e) {
            return ResolverFlags.INITIAL;
        }
    }

    /// The data of a ConfigMap of resolvers; empty where there is none.
    public Map<String, String> resolver(LogicalCluster cluster, String name) {
        return data(maps.get(new ObjectName(cluster, ResolverFlags.NAMESPACE, name)));
    }

    private Optional<Resource> map(LogicalCluster cluster, String name) {
        return maps.get(new ObjectName(cluster, Settings.NAMESPACE, name));
    }

    private static Map<String, String> data(Optional<Resource> map) {
        return map.map(each -> each.json().stringMap("data")).orElse(Map.of());
    }
}
