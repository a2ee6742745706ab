package dev.towtank.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.JsonText;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexedCacheTest {

    private static final LogicalCluster HERE = LogicalCluster.DEFAULT;

    private final IndexedCache cache = new IndexedCache();

    private static Resource object(String namespace, String name, String label, String owner) {
        return Resource.of(JsonText.parseObject("""
                {"metadata":{"name":"%s","namespace":"%s","labels":{"app":"%s"},
                 "ownerReferences":[{"uid":"%s"}]},"spec":{"node":"n-%s"}}
                """.formatted(name, namespace, label, owner, label)));
    }

    @Test
    void findsObjectsByNameNamespaceOwnerAndLabel() {
        var a = object("one", "a", "web", "u1");
        var b = object("one", "b", "db", "u1");
        var c = object("two", "c", "web", "u2");
        List.of(c, b, a).forEach(cache::put);

        assertThat(cache.list()).containsExactly(a, b, c);
        assertThat(cache.get(ObjectName.of("one", "a"))).contains(a);
        assertThat(cache.get(ObjectName.of("one", "c"))).isEmpty();
        assertThat(cache.in(HERE, "one")).containsExactly(a, b);
        assertThat(cache.in(new LogicalCluster("other"), "one")).isEmpty();
        assertThat(cache.ownedBy("u1")).containsExactly(a, b);
        assertThat(cache.labelled(HERE, "two", "app", "web")).containsExactly(c);
        assertThat(cache.select(HERE, "one", LabelSelector.parse("app!=web"))).containsExactly(b);
    }

    @Test
    void movesObjectsBetweenKeysOfAnIndex() {
        var byNode = new Cache.Index("node", resource -> List.of(resource.spec().string("node")));
        cache.put(object("one", "a", "web", "u1"));
        assertThat(cache.by(byNode, "n-web")).hasSize(1);

        var moved = object("one", "a", "db", "u2");
        cache.put(moved);

        assertThat(cache.by(byNode, "n-web")).isEmpty();
        assertThat(cache.by(byNode, "n-db")).containsExactly(moved);
        assertThat(cache.ownedBy("u1")).isEmpty();
        cache.remove(ObjectName.of("one", "a"));
        assertThat(cache.by(byNode, "n-db")).isEmpty();
        assertThat(cache.size()).isZero();
    }

    @Test
    void countsWithoutAList() {
        var byNode = new Cache.Index("node", resource -> List.of(resource.spec().string("node")));
        cache.put(object("one", "a", "web", "u1"));
        assertThat(cache.count(byNode, "n-web")).isEqualTo(1);
        assertThat(cache.count(byNode, "n-db")).isZero();

        cache.put(object("one", "b", "web", "u1"));
        cache.put(object("one", "a", "db", "u1"));

        assertThat(cache.count(byNode, "n-web")).isEqualTo(1);
        assertThat(cache.count(byNode, "n-db")).isEqualTo(1);
    }

    @Test
    void keepsListsThatWereHandedOut() {
        cache.put(object("one", "a", "web", "u1"));
        var before = cache.list();

        cache.put(object("one", "b", "web", "u1"));

        assertThat(before).hasSize(1);
        assertThat(cache.list()).hasSize(2);
        assertThat(cache.list()).isSameAs(cache.list());
        assertThatThrownBy(() -> cache.list().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
