package dev.towtank.cluster.loop;

import dev.towtank.cluster.Backoff;
import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Ground;
import dev.towtank.cluster.Informer;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.KindFollower;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Timers;
import dev.towtank.model.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/// The running features of a process, over one set of informers.
public final class ControlLoops implements AutoCloseable {

    private final Function<Feature, Cluster> identities;
    private final Ground ground;
    private final Informers informers;
    private final TriggerThread mapper = new TriggerThread();
    private final GatheredEvents events = new GatheredEvents();
    private final List<ControlLoop> loops = new ArrayList<>();
    private final List<Running> running = new ArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private ControlLoops(Cluster reading, Function<Feature, Cluster> identities, Ground ground) {
        this.identities = identities;
        this.ground = ground;
        this.informers = new Informers(reading, ground.timers(), Informer.Settings.USUAL);
    }

    /// Features that share one identity.
    public static ControlLoops start(Cluster cluster, Timers timers, List<? extends Feature> features) {
        return start(cluster, _ -> cluster, Ground.of(timers), features);
    }

    /// @param reading the identity that follows objects for all features; each of them sees what itself may read
    /// @param identities the API as each feature sees it
    public static ControlLoops start(
            Cluster reading, Function<Feature, Cluster> identities, Ground ground, List<? extends Feature> features) {
        var started = new ControlLoops(reading, identities, ground);
        try {
            features.forEach(started::start);
            var loops = List.copyOf(started.loops);
            LoopMetrics.ofAll(ground.meters(), () -> named(loops));
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
        return started;
    }

    private void start(Feature feature) {
        var cluster = identities.apply(feature);
        // What a feature's facts are read from must be complete before its first decision.
        var needed = new LinkedHashSet<Informer>();
        var recorder = events.to(new EventRecorder(cluster, ground.timers(), feature.name()));
        var place = new Place(
                feature.name(),
                cluster,
                kind -> cache(feature, kind, needed),
                (kind, handler) -> follow(feature, kind, handler),
                recorder::record,
                ground);
        var parts = feature.start(place);
        running.add(parts);
        parts.followed().forEach(kind -> checkFollows(feature, kind));
        int before = loops.size();
        var latency = latency(feature.metricsPrefix());
        parts.controllers().forEach(controller -> start(controller, cluster, needed, latency));
        var own = List.copyOf(loops.subList(before, loops.size()));
        if (!feature.metricsPrefix().isEmpty()) {
            LoopMetrics.of(feature.metricsPrefix(), ground.meters(), () -> named(own));
        }
        parts.observers()
                .forEach(observer -> informers.informer(observer.kind()).subscribe(observer.handler()));
    }

    private KindFollower.Following follow(Feature feature, Kind<?> kind, Informer.Handler handler) {
        checkFollows(feature, kind);
        return informers.follow(kind, handler);
    }

    /// All features share the informers and what these may read, so nothing else asks this.
    private static void checkFollows(Feature feature, Kind<?> kind) {
        if (!feature.permissions().isEmpty() && !mayFollow(feature, kind)) {
            throw new IllegalStateException("the feature " + feature.name() + " follows " + kind.resource()
                    + ", which its permissions do not have");
        }
    }

    private Cache cache(Feature feature, Kind<?> kind, Set<Informer> needed) {
        checkFollows(feature, kind);
        var informer = informers.informer(kind);
        needed.add(informer);
        return informer.cache();
    }

    private static boolean mayFollow(Feature feature, Kind<?> kind) {
        return feature.permissions().stream()
                .anyMatch(permission -> permission.allows("list", kind.group(), kind.plural())
                        && permission.allows("watch", kind.group(), kind.plural()));
    }

    private Meters.Distribution latency(String prefix) {
        return prefix.isEmpty()
                ? (_, _) -> {}
                : ground.meters()
                        .histogram(
                                prefix + "_reconcile_latency",
                                "Latency of reconcile operations in milliseconds",
                                LoopMetrics.MILLISECONDS,
                                "reconciler");
    }

    private static List<LoopMetrics.Named> named(List<ControlLoop> loops) {
        return loops.stream()
                .map(loop -> new LoopMetrics.Named(loop.controller().name(), loop.metrics()))
                .toList();
    }

    private void start(
            Controller<?, ?> controller, Cluster cluster, Set<Informer> needed, Meters.Distribution latency) {
        var timers = ground.timers();
        var recorder = events.to(new EventRecorder(cluster, timers, controller.name()));
        var executor = new PlanExecutor(cluster, recorder, controller.name(), controller.doers());
        var parts = new ControlLoop.Parts(
                informers, List.copyOf(needed), executor, timers, Backoff.OF_KEYS, mapper, ground.inHand(), latency);
        loops.add(ControlLoop.start(controller, parts));
    }

    /// What the features run.
    public List<Running> running() {
        return List.copyOf(running);
    }

    /// By the controllers' names.
    public Map<String, ControlLoop.Metrics> metrics() {
        var all = new TreeMap<String, ControlLoop.Metrics>();
        loops.forEach(loop -> all.put(loop.controller().name(), loop.metrics()));
        return all;
    }

    /// First the loops, which may still read, then the informers, then what the features have open.
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        loops.forEach(ControlLoop::close);
        informers.close();
        mapper.close();
        running.forEach(
                parts -> parts.observers().forEach(observer -> observer.end().run()));
        running.reversed().forEach(parts -> parts.closing().reversed().forEach(Runnable::run));
        events.close();
    }
}
