package dev.towtank.cluster.loop;

import dev.towtank.cluster.Meters;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/// What loops count, under the names that other control loops of this kind have: those of today for all, and those of
/// before for features whose dashboards know them.
final class LoopMetrics {

    static final List<Double> MILLISECONDS = List.of(10.0, 100.0, 1000.0, 10000.0, 30000.0, 60000.0);

    private LoopMetrics() {}

    /// A loop by the name that is shown.
    record Named(String name, ControlLoop.Metrics metrics) {}

    static void ofAll(Meters meters, Supplier<List<Named>> loops) {
        gauges(meters, "kn_workqueue_depth", "Current depth of the workqueue.", loops, ControlLoop.Metrics::waiting);
    }

    /// @param prefix by which dashboards know a feature
    static void of(String prefix, Meters meters, Supplier<List<Named>> loops) {
        for (var name : List.of("_workqueue_depth", "_work_queue_depth")) {
            gauges(meters, prefix + name, "Depth of the work queue", loops, ControlLoop.Metrics::waiting);
        }
        // Upstream counts how often it has looked at its clock. Ours counts looks: both rise while something works.
        for (var name : List.of(
                "_workqueue_unfinished_work_seconds_count",
                "_workqueue_longest_running_processor_seconds_count",
                "_workqueue_queue_latency_seconds_count")) {
            gauges(meters, prefix + name, "Number of looks", loops, ControlLoop.Metrics::looks);
        }
        meters.gauges(
                prefix + "_reconcile_count",
                "Number of reconcile operations",
                () -> {
                    var samples = new ArrayList<Meters.Sample>();
                    for (var loop : loops.get()) {
                        var counted = loop.metrics();
                        samples.add(
                                new Meters.Sample(counted.looks() - counted.failures(), List.of(loop.name(), "true")));
                        samples.add(new Meters.Sample(counted.failures(), List.of(loop.name(), "false")));
                    }
                    return samples;
                },
                "reconciler",
                "success");
    }

    private static void gauges(
            Meters meters,
            String name,
            String help,
            Supplier<List<Named>> loops,
            ToDoubleFunction<ControlLoop.Metrics> value) {
        meters.gauges(
                name,
                help,
                () -> loops.get().stream()
                        .map(loop -> new Meters.Sample(value.applyAsDouble(loop.metrics()), List.of(loop.name())))
                        .toList(),
                "name");
    }
}
