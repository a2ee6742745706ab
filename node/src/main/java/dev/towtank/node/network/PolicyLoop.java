package dev.towtank.node.network;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.Timers;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.networking.NetworkPolicies;
import dev.towtank.node.events.NodeEvents;
import dev.towtank.node.network.ServiceTable.Backend;
import dev.towtank.node.network.ServiceTable.Listener;
import dev.towtank.node.network.policy.Policies;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Follows NetworkPolicies, and sees to it that the networks of pods keep to them. A policy about a pod that shares the
/// machine's network cannot be kept to, and that is told.
public final class PolicyLoop implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(PolicyLoop.class.getName());
    private static final Duration GATHERING = Duration.ofMillis(20);
    private static final int MOST_TOLD = 10_000;
    private static final String SHARED = "the pod shares the network of the machine; the annotation"
            + " towtank.dev/network: own asks for one of its own";

    private final Informers informers;
    private final Timers timers;
    private final NodeEvents events;
    private final Cache policies;
    private final Cache pods;
    private final Cache namespaces;
    private final Semaphore wanted = new Semaphore(0);
    private final Set<String> told = new HashSet<>(); // by the loop's thread alone
    private final Thread thread;
    private volatile Policies table = Policies.NONE;
    private volatile @Nullable PodNetwork networks;
    private volatile Unenforced unenforced = (_, _) -> {};

    /// Is told again and again.
    @FunctionalInterface
    public interface Unenforced {
        /// @param policies those about the pod that are not in force, and why; empty where all are
        void tell(String podUid, Optional<String> policies);
    }

    public PolicyLoop(Informers informers, Timers timers, NodeEvents events) {
        this.informers = informers;
        this.timers = timers;
        this.events = events;
        this.policies = informers.of(NetworkPolicies.KIND);
        this.pods = informers.of(Pods.KIND);
        this.namespaces = informers.of(Namespaces.KIND);
        this.thread = Thread.ofVirtual().name("policies").unstarted(this::run);
    }

    public void start(PodNetwork of, Unenforced told) {
        networks = of;
        unenforced = told;
        thread.start();
    }

    /// Before that, nobody can say what a pod may do.
    public void awaitSynced() throws InterruptedException {
        informers.informer(NetworkPolicies.KIND).awaitSynced();
        informers.informer(Namespaces.KIND).awaitSynced();
    }

    private void run() {
        try {
            awaitSynced();
            informers.informer(Pods.KIND).awaitSynced();
            informers.informer(NetworkPolicies.KIND).subscribe((_, _) -> wanted.release());
            informers.informer(Namespaces.KIND).subscribe((_, _) -> releaseWherePoliciesAre());
            informers.informer(Pods.KIND).subscribe((_, _) -> releaseWherePoliciesAre());
            while (true) {
                look();
                wanted.acquire();
                timers.pause(GATHERING);
                wanted.drainPermits();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void releaseWherePoliciesAre() {
        if (!policies.list().isEmpty()) {
            wanted.release();
        }
    }

    private Policies read() {
        var all = policies.list();
        if (all.isEmpty()) {
            return Policies.NONE;
        }
        var own = pods.list().stream().filter(PolicyLoop::hasOwn).toList();
        return new Policies(all, own, namespaces.list());
    }

    /// By its status: which address it has.
    private static boolean hasOwn(Resource pod) {
        var address = pod.status().string("podIP");
        return !address.isEmpty() && !address.equals(pod.status().string("hostIP"));
    }

    /// What a pod may do that is about to start.
    public Policies.Isolation isolation(Resource pod) {
        return read().isolation(pod);
    }

    private void look() {
        table = read();
        var known = networks;
        if (known == null) {
            return;
        }
        for (var pod : pods.list()) {
            tell(pod, protect(known, pod));
        }
    }

    /// Why its policies are not in force, if they are not.
    private Optional<String> protect(PodNetwork known, Resource pod) {
        try {
            if (known.of(pod.uid()).isPresent()) {
                known.protect(pod.uid(), table.isolation(pod));
                return Optional.empty();
            }
            boolean shares = pod.status().string("phase").equals("Running") && !hasOwn(pod);
            return shares ? Optional.of(SHARED) : Optional.empty();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "policies about {0} are not in force: {1}", pod.describe(), e.getMessage());
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// Who looks at the pod finds a condition, who looks at the policy an event, once for each pod.
    private void tell(Resource pod, Optional<String> problem) {
        var about = problem.isPresent() ? table.about(pod) : List.<Resource>of();
        if (about.isEmpty()) {
            unenforced.tell(pod.uid(), Optional.empty());
            return;
        }
        var why = problem.orElseThrow();
        var names = about.stream().map(Resource::name).sorted().collect(Collectors.joining(" ", "[", "]"));
        unenforced.tell(pod.uid(), Optional.of("NetworkPolicies that are not in force: " + names + ": " + why));
        for (var policy : about) {
            if (told.size() < MOST_TOLD && told.add(policy.uid() + " " + pod.uid())) {
                events.warning(
                        policy, "NotEnforced", "The policy is not enforced for pod " + pod.name() + ": " + why + ".");
            }
        }
    }

    /// For connections through services.
    ///
    /// @param services who has which address
    public Judge judge(ServiceLoop services) {
        return (client, listener, backend) -> may(services, client, listener, backend);
    }

    private boolean may(ServiceLoop services, InetAddress client, Listener listener, Backend backend) {
        if (client.isLoopbackAddress()) {
            return true; // who shares the machine's network
        }
        var known = networks;
        var from = client.getHostAddress();
        var cluster = known == null ? Optional.<LogicalCluster>empty() : known.clusterOf(from);
        var owner = services.ownerOf(listener.address());
        boolean isStranger = cluster.isPresent() && owner.isPresent() && !cluster.equals(owner);
        return !isStranger
                && table.allow(
                        from, backend.host(), listener.protocol().name().toLowerCase(Locale.ROOT), backend.port());
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
