package dev.towtank.cluster;

import dev.towtank.model.Kind;
import dev.towtank.model.Patch;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.util.Optional;

/// A cluster that refuses every write, and can be let write again.
final class ReadOnlyCluster implements Cluster {

    private final Cluster cluster;
    private boolean open;

    ReadOnlyCluster(Cluster cluster) {
        this.cluster = cluster;
    }

    synchronized void open() {
        open = true;
    }

    private synchronized void check() {
        if (!open) {
            throw new StatusError(StatusError.Reason.FORBIDDEN, "read only");
        }
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
        check();
        return cluster.create(kind, object, options);
    }

    @Override
    public Resource update(Kind<?> kind, Resource object, WriteOptions options) {
        check();
        return cluster.update(kind, object, options);
    }

    @Override
    public Resource patch(Kind<?> kind, ObjectName name, Patch patch, WriteOptions options) {
        check();
        return cluster.patch(kind, name, patch, options);
    }

    @Override
    public void delete(Kind<?> kind, ObjectName name, DeleteOptions options) {
        check();
        cluster.delete(kind, name, options);
    }
}
