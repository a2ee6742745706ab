package dev.towtank.cluster;

import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Where a feature counts what happens, for whoever watches over the server. All names are those that are shown.
public interface Meters {

    /// Nobody watches.
    Meters NONE = new Meters() {
        @Override
        public Count counter(String name, String help, String... labels) {
            return _ -> {};
        }

        @Override
        public Distribution histogram(String name, String help, List<Double> bounds, String... labels) {
            return (_, _) -> {};
        }

        @Override
        public void gauge(String name, String help, LongSupplier value) {}

        @Override
        public void gauges(String name, String help, Supplier<List<Sample>> values, String... labels) {}
    };

    Count counter(String name, String help, String... labels);

    /// @param bounds the upper ones of its buckets
    Distribution histogram(String name, String help, List<Double> bounds, String... labels);

    void gauge(String name, String help, LongSupplier value);

    /// Several of one name.
    ///
    /// @param values asked for when somebody looks
    void gauges(String name, String help, Supplier<List<Sample>> values, String... labels);

    /// @param labels as many as the gauge has, in their order
    record Sample(double value, List<String> labels) {
        public Sample {
            labels = List.copyOf(labels);
        }
    }

    @FunctionalInterface
    interface Count {
        /// @param labels as many as it has, in their order
        void count(String... labels);
    }

    @FunctionalInterface
    interface Distribution {
        /// @param labels as many as it has, in their order
        void observe(double value, String... labels);
    }
}
