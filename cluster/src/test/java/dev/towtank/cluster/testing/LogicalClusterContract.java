package dev.towtank.cluster.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cluster.DeleteOptions;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a cluster with many logical clusters does besides.
public abstract class LogicalClusterContract extends ClusterContract {

    private final LogicalCluster other = new LogicalCluster("other-" + namespace);

    /// Makes the logical cluster, where it has to be made.
    protected abstract void givenLogicalCluster(LogicalCluster cluster);

    @BeforeEach
    void givenAnotherCluster() {
        givenLogicalCluster(other);
    }

    @Test
    void keepsLogicalClustersApart() {
        givenNamespace(other, namespace);
        create(map("a", "1"));
        var theirs = create(map(other, namespace, "a", "2"));

        assertThat(cluster().hasLogicalClusters()).isTrue();
        assertThat(theirs.cluster()).isEqualTo(other);
        assertThat(cluster().get(CONFIG_MAPS, new ObjectName(other, namespace, "a")))
                .contains(theirs);
        assertThat(cluster()
                        .list(CONFIG_MAPS, Selection.in(other, namespace).labelled("contract"))
                        .items())
                .containsExactly(theirs);
        cluster().delete(CONFIG_MAPS, ObjectName.of(namespace, "a"), DeleteOptions.DEFAULT);
        assertThat(cluster().get(CONFIG_MAPS, new ObjectName(other, namespace, "a")))
                .contains(theirs);
    }

    @Test
    void listsAndWatchesAllOfThemAtOnce() throws InterruptedException {
        givenNamespace(other, namespace);
        var everywhere = Selection.EVERYWHERE.labelled("value=" + namespace);
        var here = create(map("a", namespace));
        var there = create(map(other, namespace, "a", namespace));

        var listing = cluster().list(CONFIG_MAPS, everywhere);
        assertThat(listing.items()).containsExactlyInAnyOrder(here, there);

        try (var watch = cluster().watch(CONFIG_MAPS, everywhere, listing.resourceVersion())) {
            create(map("b", namespace));
            cluster().create(CONFIG_MAPS, map(other, namespace, "b", namespace), WriteOptions.DEFAULT);
            var seen = new ArrayList<LogicalCluster>();
            while (seen.size() < 2) {
                for (var event : watch.next(Duration.ofSeconds(10))) {
                    if (event instanceof Watch.Added(Resource object)) {
                        seen.add(object.cluster());
                    }
                }
            }
            assertThat(seen).containsExactly(LogicalCluster.DEFAULT, other);
        }
    }
}
