package dev.towtank.controllers.gitops.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Informer;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.KindFollower;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.remote.RemoteAccess;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Clusters of other servers that Applications go to, by names of ours.
public final class RemoteClusters implements AutoCloseable {

    private static final Pattern NAME = Pattern.compile("remote-[0-9a-f]{40}");
    private static final int MOST = 50;

    private final Timers timers;
    // Guarded by this object's monitor; the one that was not asked for longest goes first.
    private final Map<LogicalCluster, Reached> known = new LinkedHashMap<>(16, 0.75f, true);

    private record Reached(RemoteCluster cluster, Informers informers) {
        void close() {
            informers.close();
            cluster.close();
        }
    }

    public RemoteClusters(Timers timers) {
        this.timers = timers;
    }

    /// Whether a name is one of ours, which no logical cluster may have as a destination.
    public static boolean isName(String id) {
        return NAME.matcher(id).matches();
    }

    /// The name of a cluster; another one for other credentials.
    ///
    /// @throws IllegalArgumentException the credentials cannot be read
    public synchronized LogicalCluster place(RemoteAccess access) {
        var secret = String.join(
                "\n",
                access.server(),
                access.authority(),
                access.token(),
                access.certificate(),
                access.key(),
                access.user(),
                access.password());
        var digest = HexFormat.of().formatHex(Sha256.of(secret.getBytes(StandardCharsets.UTF_8)));
        var place = new LogicalCluster("remote-" + digest.substring(0, 40));
        if (!known.containsKey(place)) {
            var cluster = RemoteCluster.at(access);
            known.put(place, new Reached(cluster, new Informers(cluster, timers, Informer.Settings.USUAL)));
            if (known.size() > MOST) {
                var oldest = known.entrySet().iterator();
                oldest.next().getValue().close();
                oldest.remove();
            }
        }
        return place;
    }

    public synchronized Optional<Cluster> at(LogicalCluster place) {
        return Optional.ofNullable(known.get(place)).map(Reached::cluster);
    }

    public synchronized Optional<KindFollower> follower(LogicalCluster place) {
        return Optional.ofNullable(known.get(place)).<KindFollower>map(Reached::informers);
    }

    @Override
    public synchronized void close() {
        known.values().forEach(Reached::close);
        known.clear();
    }
}
