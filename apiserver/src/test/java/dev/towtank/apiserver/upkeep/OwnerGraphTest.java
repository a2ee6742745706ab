package dev.towtank.apiserver.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnerGraphTest {

    private final OwnerGraph graph = new OwnerGraph();
    private final List<String> touched = new ArrayList<>();
    private long revision;

    private Stored stored(String resource, String metadata) {
        var object = Json.Obj.of("metadata", YamlText.parse(metadata));
        var key = new Key(new GroupResource("", resource), LogicalCluster.DEFAULT, "shop", "it");
        return new Stored(key, ++revision, JsonText.bytes(object));
    }

    private List<String> put(String resource, String metadata) {
        touched.clear();
        graph.put(stored(resource, metadata), touched::add);
        return List.copyOf(touched);
    }

    @Test
    void looksAgainOnlyWhenOwnersHaveChanged() {
        var owned = "{uid: child, ownerReferences: [{uid: one}, {uid: two}]}";
        assertThat(put("pods", owned)).containsExactly("child");
        assertThat(put("pods", owned)).isEmpty();
        assertThat(put("pods", "{uid: child, ownerReferences: [{uid: two}]}")).containsExactly("child", "one", "two");
        assertThat(graph.dependents("one")).isEmpty();
        assertThat(graph.dependents("two")).extracting(OwnerGraph.Node::uid).containsExactly("child");
    }

    @Test
    void holdsNoEventsThatStandAlone() {
        put("events", "{uid: alone}");
        assertThat(graph.find("alone")).isNull();

        put("pods", "{uid: pod}");
        assertThat(graph.find("pod")).isNotNull();
        put("events", "{uid: owned, ownerReferences: [{uid: pod}]}");
        assertThat(graph.find("owned")).isNotNull();
        var going = "{uid: alone, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [foregroundDeletion]}";
        assertThat(put("events", going)).containsExactly("alone");
        assertThat(graph.find("alone")).isNotNull();
    }

    @Test
    void dependentsOfAnEventAreLookedAtWhenItGoes() {
        put("events", "{uid: event}");
        put("pods", "{uid: child, ownerReferences: [{uid: event}]}");
        touched.clear();
        graph.remove(stored("events", "{uid: event}"), touched::add);
        assertThat(touched).containsExactly("child");
    }
}
