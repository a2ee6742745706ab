package dev.towtank.cluster;

import dev.towtank.cluster.testing.PassingCluster;
import dev.towtank.model.StatusError;

/// A cluster that refuses every write, and can be let write again.
public final class ReadOnlyCluster extends PassingCluster {

    private boolean open;

    public ReadOnlyCluster(Cluster cluster) {
        super(cluster);
    }

    public synchronized void open() {
        open = true;
    }

    public synchronized void shut() {
        open = false;
    }

    @Override
    protected synchronized Cluster forWriting() {
        if (!open) {
            throw new StatusError(StatusError.Reason.FORBIDDEN, "read only");
        }
        return super.forWriting();
    }
}
