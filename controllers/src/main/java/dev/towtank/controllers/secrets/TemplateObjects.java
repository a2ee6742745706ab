package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.reading.KubernetesProvider;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// What `templateFrom` names, as `ConfigMap name` and `Secret name`.
final class TemplateObjects {

    private final Cache secrets;
    private final Cache configMaps;

    TemplateObjects(Caches caches) {
        this.secrets = caches.of(Secrets.KIND);
        this.configMaps = caches.of(ConfigMaps.KIND);
    }

    Map<String, NavigableMap<String, byte[]>> of(Resource source, Json.Obj template) {
        var found = new HashMap<String, NavigableMap<String, byte[]>>();
        for (var from : template.objects("templateFrom")) {
            var map = from.string("configMap", "name");
            near(configMaps, source, map).ifPresent(object -> found.put("ConfigMap " + map, texts(object)));
            var secret = from.string("secret", "name");
            near(secrets, source, secret)
                    .ifPresent(object -> found.put("Secret " + secret, KubernetesProvider.data(object)));
        }
        return found;
    }

    private static Optional<Resource> near(Cache cache, Resource source, String name) {
        return name.isEmpty()
                ? Optional.empty()
                : cache.get(new ObjectName(source.cluster(), source.namespace(), name));
    }

    private static NavigableMap<String, byte[]> texts(Resource map) {
        var texts = new TreeMap<String, byte[]>();
        map.json().stringMap("data").forEach((key, text) -> texts.put(key, text.getBytes(StandardCharsets.UTF_8)));
        return texts;
    }
}
