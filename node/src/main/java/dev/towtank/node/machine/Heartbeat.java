package dev.towtank.node.machine;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Timers;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.coordination.Leases;
import dev.towtank.model.kinds.core.Nodes;
import dev.towtank.model.patch.Patch;
import dev.towtank.node.events.NodeEvents;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Keeps a Node object true and its Lease fresh.
public final class Heartbeat implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Heartbeat.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final Duration STATUS_PERIOD = Duration.ofMinutes(5);
    private static final long LEASE_SECONDS = 40;
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Cluster cluster;
    private final Timers timers;
    private final NodeObject.Offer offer;
    private final NodeEvents events;
    private final Thread thread;
    private Instant statusAt = Instant.EPOCH;

    public Heartbeat(Cluster cluster, Timers timers, NodeObject.Offer offer, NodeEvents events) {
        this.cluster = cluster;
        this.timers = timers;
        this.offer = offer;
        this.events = events;
        this.thread = Thread.ofVirtual().name("heartbeat").unstarted(this::run);
    }

    /// Registers the node, and beats from then on.
    public void start() {
        beat();
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                timers.pause(PERIOD);
                beat();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void beat() {
        try {
            var now = timers.instant();
            if (!now.isBefore(statusAt.plus(STATUS_PERIOD))) {
                writeNode(now);
                statusAt = now;
            }
            renew(now);
        } catch (StatusError | UncheckedIOException e) {
            LOG.log(Level.WARNING, "cannot tell that the node is alive, trying again: {0}", e.getMessage());
        }
    }

    private ObjectName name() {
        return new ObjectName(LogicalCluster.DEFAULT, "", offer.name());
    }

    private void writeNode(Instant now) {
        var known = cluster.get(Nodes.KIND, name());
        if (known.isEmpty()) {
            var created = cluster.create(
                    Nodes.KIND, Resource.of(NodeObject.create(offer, now)), Cluster.WriteOptions.DEFAULT);
            events.normal(created, "Starting", "Starting kubelet.");
            return;
        }
        var before = known.get().status();
        var bootId = offer.machine().bootId();
        if (!before.string("nodeInfo", "bootID").equals(bootId)) {
            events.warning(known.get(), "Rebooted", "Node " + offer.name() + " has been rebooted, boot id: " + bootId);
        }
        var status = NodeObject.status(offer, before, now);
        cluster.patch(Nodes.KIND, name(), new Patch.Merge(Json.Obj.of("status", status)), Cluster.WriteOptions.STATUS);
        label(known.get());
    }

    /// The labels that this start asks for; others are the users' own.
    private void label(Resource known) {
        if (!known.labels().entrySet().containsAll(offer.node().labels().entrySet())) {
            var labels = Json.Obj.builder();
            offer.node().labels().forEach(labels::put);
            cluster.patch(
                    Nodes.KIND,
                    name(),
                    new Patch.Merge(Json.Obj.of("metadata", Json.Obj.of("labels", labels.build()))),
                    Cluster.WriteOptions.DEFAULT);
        }
    }

    private void renew(Instant now) {
        var name = new ObjectName(LogicalCluster.DEFAULT, "kube-node-lease", offer.name());
        var renewed = Json.Obj.of("renewTime", Json.of(MICROS.format(now)));
        if (cluster.get(Leases.KIND, name).isPresent()) {
            cluster.patch(
                    Leases.KIND, name, new Patch.Merge(Json.Obj.of("spec", renewed)), Cluster.WriteOptions.DEFAULT);
            return;
        }
        var spec = renewed.with("holderIdentity", Json.of(offer.name()))
                .with("leaseDurationSeconds", Json.of(LEASE_SECONDS));
        cluster.create(
                Leases.KIND,
                Resource.of(Json.Obj.builder()
                        .put("apiVersion", Leases.KIND.apiVersion())
                        .put("kind", Leases.KIND.kind())
                        .put(
                                "metadata",
                                Json.Obj.of("name", Json.of(name.name()), "namespace", Json.of(name.namespace())))
                        .put("spec", spec)
                        .build()),
                Cluster.WriteOptions.DEFAULT);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
