package dev.towtank.cluster.loop;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Timers;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Records;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.coordination.Leases;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes sure that of several processes one leads, by a Lease that the leader renews.
///
/// Clocks of different machines are never compared: a lease is over when its record has not changed for its duration
/// as measured here. Once the leader cannot renew for the renew deadline it stops, before anybody else may begin.
public final class LeaderElection implements AutoCloseable {

    static final Kind<Json.Obj> LEASES = Leases.KIND;

    private static final System.Logger LOG = System.getLogger(LeaderElection.class.getName());

    /// @param duration how long others wait for a silent leader
    /// @param renewDeadline how long a leader that cannot renew goes on
    /// @param retryPeriod how often everybody tries
    public record Settings(Duration duration, Duration renewDeadline, Duration retryPeriod) {
        public static final Settings USUAL =
                new Settings(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

        public Settings {
            if (duration.compareTo(renewDeadline) <= 0 || renewDeadline.compareTo(retryPeriod) <= 0) {
                throw new IllegalArgumentException(
                        "the lease duration must be longer than the renew deadline, and that longer than the retry period");
            }
        }
    }

    /// What the process does as a leader. Called on the thread of the election: it starts things and returns.
    public interface Leadership {
        void begin();

        void end();
    }

    record LeaseSpec(
            String holderIdentity,
            long leaseDurationSeconds,
            @Records.Micro Optional<Instant> acquireTime,
            @Records.Micro Optional<Instant> renewTime,
            long leaseTransitions) {}

    record Lease(LeaseSpec spec) {}

    private final Cluster cluster;
    private final Timers timers;
    private final ObjectName name;
    private final String identity;
    private final Settings settings;
    private final Leadership leadership;
    private final Thread thread;

    // Only the thread of the election uses these.
    private Json.Obj observed = Json.Obj.EMPTY;
    private Instant observedAt = Instant.MIN;
    private String lastProblem = "";

    // Guarded by this object's monitor, under which leadership begins and ends.
    private @Nullable Resource lease;
    private Instant renewedAt = Instant.MIN;
    private Timers.@Nullable Timer deadline;
    private boolean leading;
    private boolean closed;

    /// @param identity unique among the candidates
    public LeaderElection(
            Cluster cluster,
            Timers timers,
            ObjectName name,
            String identity,
            Settings settings,
            Leadership leadership) {
        this.cluster = cluster;
        this.timers = timers;
        this.name = name;
        this.identity = identity;
        this.settings = settings;
        this.leadership = leadership;
        this.thread = Thread.ofVirtual().name("election " + name).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public synchronized boolean isLeader() {
        return leading;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void run() {
        try {
            while (step()) {
                timers.pause(settings.retryPeriod);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /// One try to acquire or renew.
    ///
    /// @return whether there will be another one
    boolean step() {
        if (isClosed()) {
            // The pause can end by time just when it is interrupted: taking the lease only to give it away again
            // would make another candidate wait one more period.
            return false;
        }
        var held = tryToHold();
        synchronized (this) {
            if (closed) {
                held.ifPresent(this::release);
                return false;
            }
            held.ifPresent(this::renewed);
            return true;
        }
    }

    private void renewed(Resource held) {
        lease = held;
        renewedAt = timers.instant();
        if (deadline != null) {
            deadline.cancel();
        }
        // A call that hangs must not keep us leading: another thread watches the time.
        deadline = timers.after(settings.renewDeadline, () -> Thread.ofVirtual().start(this::endWhenOverdue));
        become(true);
    }

    private synchronized void endWhenOverdue() {
        if (!timers.instant().isBefore(renewedAt.plus(settings.renewDeadline))) {
            become(false);
        }
    }

    private void become(boolean leader) {
        if (leading == leader) {
            return;
        }
        leading = leader;
        LOG.log(Level.INFO, "{0} {1} leader of {2}", identity, leader ? "became" : "is no longer", name);
        if (leader) {
            leadership.begin();
        } else {
            leadership.end();
        }
    }

    private Optional<Resource> tryToHold() {
        try {
            var held = cluster.get(LEASES, name)
                    .map(this::takeOver)
                    .orElseGet(() -> Optional.of(
                            cluster.create(LEASES, written(Json.Obj.EMPTY, holding(Optional.empty())), options())));
            held.ifPresent(this::observe);
            lastProblem = "";
            return held;
        } catch (StatusError | UncheckedIOException | Records.Mismatch e) {
            sayOnce(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private void sayOnce(String problem) {
        if (!problem.equals(lastProblem)) {
            lastProblem = problem;
            LOG.log(Level.WARNING, "cannot hold the lease {0}, trying again: {1}", name, problem);
        }
    }

    private Optional<Resource> takeOver(Resource found) {
        observe(found);
        var spec = Records.read(Lease.class, found.json()).spec();
        var free = spec.holderIdentity().isEmpty() || spec.holderIdentity().equals(identity) || isOver(spec);
        return free
                ? Optional.of(cluster.update(LEASES, written(found.json(), holding(Optional.of(spec))), options()))
                : Optional.empty();
    }

    private void observe(Resource found) {
        if (!found.spec().equals(observed)) {
            observed = found.spec();
            observedAt = timers.instant();
        }
    }

    private boolean isOver(LeaseSpec spec) {
        return !timers.instant().isBefore(observedAt.plusSeconds(spec.leaseDurationSeconds()));
    }

    private LeaseSpec holding(Optional<LeaseSpec> before) {
        var now = Optional.of(timers.instant());
        var mine = before.filter(spec -> spec.holderIdentity().equals(identity));
        long transitions = before.map(LeaseSpec::leaseTransitions).orElse(0L);
        return new LeaseSpec(
                identity,
                settings.duration.toSeconds(),
                mine.flatMap(LeaseSpec::acquireTime).or(() -> now),
                now,
                mine.isPresent() || before.isEmpty() ? transitions : transitions + 1);
    }

    /// Fields of the lease that are not ours stay as they are.
    private Resource written(Json.Obj before, LeaseSpec spec) {
        var fields = before.object("spec").toBuilder();
        Records.write(spec).forEach(fields::put);
        fields.put("holderIdentity", spec.holderIdentity()).put("leaseTransitions", spec.leaseTransitions());
        var metadata = before.object("metadata")
                .with("name", Json.of(name.name()))
                .with("namespace", Json.of(name.namespace()));
        return new Resource(
                name.cluster(),
                before.with("apiVersion", Json.of(LEASES.apiVersion()))
                        .with("kind", Json.of(LEASES.kind()))
                        .with("metadata", metadata)
                        .with("spec", fields.build()));
    }

    private static Cluster.WriteOptions options() {
        return Cluster.WriteOptions.DEFAULT.by("towtank");
    }

    /// Ends the leadership, then gives the lease away, so that the next leader need not wait for it to run out.
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (deadline != null) {
                deadline.cancel();
            }
            var wasLeading = leading;
            become(false);
            if (wasLeading && lease != null) {
                release(lease);
            }
        }
        thread.interrupt();
    }

    private void release(Resource held) {
        var now = Optional.of(timers.instant());
        long transitions = held.spec().integer("leaseTransitions");
        try {
            cluster.update(LEASES, written(held.json(), new LeaseSpec("", 1, now, now, transitions)), options());
        } catch (StatusError | UncheckedIOException e) {
            LOG.log(
                    Level.WARNING,
                    "cannot release the lease {0}, so others wait until it is over: {1}",
                    name,
                    e.getMessage());
        }
    }
}
