package dev.towtank.cluster;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The running controllers of some features, over one set of informers.
public final class ControlLoops implements AutoCloseable {

    private final Cluster cluster;
    private final Timers timers;
    private final Informers informers;
    private final Meters meters;
    private final TriggerThread mapper = new TriggerThread();
    private final GatheredEvents events = new GatheredEvents();
    private final List<ControlLoop> loops = new ArrayList<>();
    private final List<Observer> observers = new ArrayList<>();

    private ControlLoops(Cluster cluster, Timers timers, Meters meters) {
        this.meters = meters;
        this.cluster = cluster;
        this.timers = timers;
        this.informers = new Informers(cluster, timers, Informer.Settings.USUAL);
    }

    public static ControlLoops start(Cluster cluster, Timers timers, List<? extends Feature> features) {
        return start(cluster, timers, Meters.NONE, features);
    }

    /// @param meters where the features count
    public static ControlLoops start(Cluster cluster, Timers timers, Meters meters, List<? extends Feature> features) {
        var running = new ControlLoops(cluster, timers, meters);
        features.forEach(running::start);
        return running;
    }

    private void start(Feature feature) {
        // What a feature's facts are read from must be complete before its first decision.
        var needed = new LinkedHashSet<Informer>();
        var controllers = feature.controllers(kind -> {
            var informer = informers.informer(kind);
            needed.add(informer);
            return informer.cache();
        });
        for (var controller : controllers) {
            var recorder = events.to(new EventRecorder(cluster, timers, controller.name()));
            var executor = new PlanExecutor(cluster, recorder, controller.name());
            var parts =
                    new ControlLoop.Parts(informers, List.copyOf(needed), executor, timers, Backoff.OF_KEYS, mapper);
            loops.add(ControlLoop.start(controller, parts));
        }
        var recorder = events.to(new EventRecorder(cluster, timers, feature.name()));
        var place = new Observer.Place(informers, timers, meters, recorder::record);
        for (var observer : feature.observers(place)) {
            informers.informer(observer.kind()).subscribe(observer.handler());
            observers.add(observer);
        }
    }

    /// By the controllers' names.
    public Map<String, ControlLoop.Metrics> metrics() {
        var all = new TreeMap<String, ControlLoop.Metrics>();
        loops.forEach(loop -> all.put(loop.controller().name(), loop.metrics()));
        return all;
    }

    /// First the loops, which may still read, then the informers.
    @Override
    public void close() {
        loops.forEach(ControlLoop::close);
        informers.close();
        mapper.close();
        observers.forEach(observer -> observer.end().run());
        events.close();
    }
}
