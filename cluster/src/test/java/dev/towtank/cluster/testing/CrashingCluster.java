package dev.towtank.cluster.testing;

import dev.towtank.cluster.Cluster;

/// A way to a cluster that breaks after some writes, as when the process dies: the write before was made.
public final class CrashingCluster extends PassingCluster {

    public static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Crash() {
            super("crash", null, false, false);
        }
    }

    private int writes = Integer.MAX_VALUE;
    private int made;

    public CrashingCluster(Cluster cluster) {
        super(cluster);
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

    @Override
    protected Cluster forWriting() {
        if (writes-- <= 0) {
            throw new Crash();
        }
        made++;
        return super.forWriting();
    }
}
