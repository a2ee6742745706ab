package dev.towtank.apiserver.server;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What was installed by which feature, and in which state it was then: so that a start need not compare all of it
/// again.
///
/// @param entries by the names of features
record Ledger(Optional<Resource> stored, Map<String, Entry> entries) {

    private static final ObjectName NAME = new ObjectName(LogicalCluster.DEFAULT, "kube-system", "towtank-features");

    /// @param fingerprint of all that the feature installs
    record Entry(String fingerprint, List<Line> objects) {}

    /// @param state empty where the object belongs to whoever changes it
    record Line(String group, String kind, String namespace, String name, String state) {

        static Line of(Resource object) {
            return new Line(
                    group(object.json().string("apiVersion")),
                    object.json().string("kind"),
                    object.namespace(),
                    object.name(),
                    object.namespace().isEmpty() ? Ledger.state(object) : "");
        }

        private static String group(String apiVersion) {
            int slash = apiVersion.indexOf('/');
            return slash < 0 ? "" : apiVersion.substring(0, slash);
        }

        static Line read(String text) {
            var parts = text.split("\\|", -1);
            return parts.length == 5
                    ? new Line(parts[0], parts[1], parts[2], parts[3], parts[4])
                    : new Line("", "", "", "", "unreadable");
        }

        String text() {
            return String.join("|", group, kind, namespace, name, state);
        }
    }

    /// Changes when the object's meaning does: its generation, or its version where it has none.
    static String state(Resource object) {
        return object.generation() > 0 ? "g" + object.generation() : "v" + object.resourceVersion();
    }

    static Ledger read(Cluster cluster) {
        var stored = cluster.get(ConfigMaps.KIND, NAME);
        var entries = new TreeMap<String, Entry>();
        stored.map(map -> map.json().stringMap("data")).orElse(Map.of()).forEach((feature, text) -> {
            var lines = text.lines().toList();
            if (!lines.isEmpty()) {
                entries.put(
                        feature,
                        new Entry(
                                lines.getFirst(),
                                lines.subList(1, lines.size()).stream()
                                        .map(Line::read)
                                        .toList()));
            }
        });
        return new Ledger(stored, entries);
    }

    void write(Cluster cluster, Map<String, Entry> changed) {
        if (entries.equals(changed)) {
            return;
        }
        var data = Json.Obj.builder();
        changed.forEach((feature, entry) -> {
            var lines = new ArrayList<String>();
            lines.add(entry.fingerprint);
            entry.objects.forEach(line -> lines.add(line.text()));
            data.put(feature, String.join("\n", lines));
        });
        if (stored.isPresent()) {
            var map = stored.get();
            cluster.update(
                    ConfigMaps.KIND, map.with(map.json().with("data", data.build())), Cluster.WriteOptions.DEFAULT);
        } else {
            var map = Json.Obj.builder()
                    .put("apiVersion", "v1")
                    .put("kind", "ConfigMap")
                    .put("metadata", Json.Obj.of("name", Json.of(NAME.name()), "namespace", Json.of(NAME.namespace())))
                    .put("data", data.build())
                    .build();
            cluster.create(ConfigMaps.KIND, new Resource(LogicalCluster.DEFAULT, map), Cluster.WriteOptions.DEFAULT);
        }
    }
}
