package dev.towtank.cluster.testing;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.patch.Patch;
import java.util.Optional;

/// Passes everything on to a cluster. Those that do something else with a part of it begin here.
public class PassingCluster implements Cluster {

    private final Cluster cluster;

    public PassingCluster(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Asked before each write; where it goes.
    protected Cluster forWriting() {
        return cluster;
    }

    @Override
    public Optional<Resource> get(Kind<?> kind, ObjectName name) {
        return cluster.get(kind, name);
    }

    @Override
    public Listing list(Kind<?> kind, Selection selection) {
        return cluster.list(kind, selection);
    }

    @Override
    public Watch watch(Kind<?> kind, Selection selection, String afterResourceVersion) {
        return cluster.watch(kind, selection, afterResourceVersion);
    }

    @Override
    public Resource create(Kind<?> kind, Resource object, WriteOptions options) {
        return forWriting().create(kind, object, options);
    }

    @Override
    public Resource update(Kind<?> kind, Resource object, WriteOptions options) {
        return forWriting().update(kind, object, options);
    }

    @Override
    public Resource patch(Kind<?> kind, ObjectName name, Patch patch, WriteOptions options) {
        return forWriting().patch(kind, name, patch, options);
    }

    @Override
    public void delete(Kind<?> kind, ObjectName name, DeleteOptions options) {
        forWriting().delete(kind, name, options);
    }

    @Override
    public boolean hasLogicalClusters() {
        return cluster.hasLogicalClusters();
    }
}
