package dev.towtank.cluster.testing;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.model.Kind;
import dev.towtank.model.Patch;
import dev.towtank.model.Resource;
import java.util.Optional;

/// A way to a cluster that breaks after some writes, as when the process dies: the write before was made.
public final class CrashingCluster implements Cluster {

    public static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Crash() {
            super("crash", null, false, false);
        }
    }

    private final Cluster cluster;
    private int writes = Integer.MAX_VALUE;
    private int made;

    public CrashingCluster(Cluster cluster) {
        this.cluster = cluster;
    }

    public void crashAfter(int more) {
        writes = more;
    }

    public void heal() {
        writes = Integer.MAX_VALUE;
    }

    /// How many were made.
    public int writes() {
        return made;
    }

    private Cluster forWriting() {
        if (writes-- <= 0) {
            throw new Crash();
        }
        made++;
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
}
