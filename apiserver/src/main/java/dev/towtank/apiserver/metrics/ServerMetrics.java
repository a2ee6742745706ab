package dev.towtank.apiserver.metrics;

import dev.towtank.apiserver.Target;
import dev.towtank.cluster.Meters;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The metrics of one server. Others may add gauges of their own.
public final class ServerMetrics implements Meters {

    public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private static final double[] BUCKETS = {
        0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60
    };

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Counter requests = Counter.builder()
            .name("apiserver_request_total")
            .help("Requests answered.")
            .labelNames("verb", "group", "version", "resource", "subresource", "code")
            .register(registry);
    private final Histogram durations = Histogram.builder()
            .name("apiserver_request_duration_seconds")
            .help("Time to answer, without watches.")
            .labelNames("verb", "group", "version", "resource", "subresource")
            .classicOnly()
            .classicUpperBounds(BUCKETS)
            .register(registry);
    private final Counter watchEvents = Counter.builder()
            .name("apiserver_watch_events_total")
            .help("Events sent to watches.")
            .labelNames("group", "version", "resource")
            .register(registry);

    /// @param target of a resource that is served: labels are never made from what a client made up
    public void request(String verb, Target target, int code, double seconds, boolean longRunning) {
        requests.labelValues(
                        verb,
                        target.group(),
                        target.version(),
                        target.resource(),
                        target.subresource(),
                        Integer.toString(code))
                .inc();
        if (!longRunning) {
            durations
                    .labelValues(verb, target.group(), target.version(), target.resource(), target.subresource())
                    .observe(seconds);
        }
    }

    public void watchEvents(String group, String version, String resource, int count) {
        watchEvents.labelValues(group, version, resource).inc(count);
    }

    @Override
    public void gauge(String name, String help, LongSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(callback -> callback.call((double) value.getAsLong()))
                .register(registry);
    }

    @Override
    public void gauges(String name, String help, Supplier<List<Meters.Sample>> values, String... labels) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(labels)
                .callback(callback -> values.get().stream()
                        .limit(Series.MOST)
                        .forEach(sample ->
                                callback.call(sample.value(), sample.labels().toArray(String[]::new))))
                .register(registry);
    }

    @Override
    public Meters.Count counter(String name, String help, String... labels) {
        var series = new Series(labels.length);
        if (!name.endsWith("_total")) {
            // The library shows every counter with that ending; where the name is to be another, it is a gauge that
            // rises.
            var gauge = Gauge.builder().name(name).help(help).labelNames(labels).register(registry);
            return values -> gauge.labelValues(series.bounded(values)).inc();
        }
        var counter = Counter.builder().name(name).help(help).labelNames(labels).register(registry);
        return values -> counter.labelValues(series.bounded(values)).inc();
    }

    @Override
    public Meters.Distribution histogram(String name, String help, List<Double> bounds, String... labels) {
        var histogram = Histogram.builder()
                .name(name)
                .help(help)
                .labelNames(labels)
                .classicOnly()
                .classicUpperBounds(
                        bounds.stream().mapToDouble(Double::doubleValue).toArray())
                .register(registry);
        var series = new Series(labels.length);
        return (value, values) -> histogram.labelValues(series.bounded(values)).observe(value);
    }

    /// Labels that users make up are remembered for ever, so there are only so many; the rest is one.
    private static final class Series {
        private static final int MOST = 2000;

        private final Set<List<String>> known = ConcurrentHashMap.newKeySet();
        private final String[] other;

        Series(int labels) {
            other = new String[labels];
            Arrays.fill(other, "_other");
        }

        String[] bounded(String... values) {
            var key = List.of(values);
            return known.contains(key) || (known.size() < MOST && known.add(key)) ? values : other;
        }
    }

    /// Two gauges of one name, told apart by a label.
    public void gauge(
            String name,
            String help,
            String label,
            String first,
            LongSupplier firstValue,
            String second,
            LongSupplier secondValue) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .callback(callback -> {
                    callback.call((double) firstValue.getAsLong(), first);
                    callback.call((double) secondValue.getAsLong(), second);
                })
                .register(registry);
    }

    /// Everything, in Prometheus' text format.
    public byte[] text() {
        var out = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create().write(out, registry.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
