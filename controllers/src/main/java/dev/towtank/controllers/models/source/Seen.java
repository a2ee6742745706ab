package dev.towtank.controllers.models.source;

import dev.towtank.controllers.models.api.Drift;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;

/// What models have seen since they run: histograms, never values.
///
/// @param features by name
/// @param answers how often each was given, or fell into a bin
/// @param expected of the answers, by the profile
record Seen(long rows, Map<String, Feature> features, Map<String, Double> answers, Map<String, Double> expected) {

    /// So that a bin that nobody met makes no infinite distance.
    private static final double LEAST_SHARE = 1e-4;

    record Feature(List<Double> counts, List<Double> expected) {
        Feature {
            counts = List.copyOf(counts);
            expected = List.copyOf(expected);
        }

        Feature minus(Feature other) {
            return new Feature(sum(counts, other.counts, -1), expected);
        }

        Feature plus(Feature other) {
            return new Feature(sum(counts, other.counts, 1), expected);
        }
    }

    static final Seen NOTHING = new Seen(0, Map.of(), Map.of(), Map.of());

    Seen {
        features = Map.copyOf(features);
        answers = Map.copyOf(answers);
        expected = Map.copyOf(expected);
    }

    /// Of one pod, as its server tells it.
    static Seen of(Json.Obj statistics) {
        var features = new TreeMap<String, Feature>();
        for (var feature : statistics.objects("features")) {
            features.put(
                    feature.string("name"),
                    new Feature(numbers(feature.array("counts")), numbers(feature.array("expected"))));
        }
        var predictions = statistics.object("predictions");
        var answers = new TreeMap<String, Double>();
        var counts = numbers(predictions.array("counts"));
        for (int i = 0; i < counts.size(); i++) {
            if (counts.get(i) > 0) {
                answers.put(Integer.toString(i), counts.get(i));
            }
        }
        answers.putAll(numbers(predictions.object("values")));
        return new Seen(statistics.integer("rows"), features, answers, numbers(predictions.object("expected")));
    }

    private static List<Double> numbers(Json.Arr array) {
        var numbers = new ArrayList<Double>();
        array.forEach(each -> numbers.add(number(each)));
        return numbers;
    }

    private static Map<String, Double> numbers(Json.Obj object) {
        var numbers = new TreeMap<String, Double>();
        object.forEach((name, value) -> numbers.put(name, number(value)));
        return numbers;
    }

    private static double number(Json json) {
        return switch (json) {
            case Json.Int(var value) -> value;
            case Json.Real(var value) -> value;
            case Json.Null _, Json.Bool _, Json.Str _, Json.Arr _, Json.Obj _ -> 0;
        };
    }

    private static List<Double> sum(List<Double> some, List<Double> others, int sign) {
        var sums = new ArrayList<Double>();
        for (int i = 0; i < some.size(); i++) {
            sums.add(some.get(i) + sign * (i < others.size() ? others.get(i) : 0));
        }
        return sums;
    }

    private static Map<String, Double> sum(Map<String, Double> some, Map<String, Double> others, int sign) {
        var sums = new TreeMap<>(some);
        others.forEach((name, count) -> sums.merge(name, sign * count, Double::sum));
        return sums;
    }

    Seen plus(Seen other) {
        var all = new TreeMap<>(features);
        other.features.forEach((name, feature) -> all.merge(name, feature, Feature::plus));
        return new Seen(
                rows + other.rows, all, sum(answers, other.answers, 1), expected.isEmpty() ? other.expected : expected);
    }

    Seen minus(Seen before) {
        var all = new TreeMap<String, Feature>();
        features.forEach((name, feature) -> {
            var old = before.features.get(name);
            all.put(name, old == null ? feature : feature.minus(old));
        });
        return new Seen(rows - before.rows, all, sum(answers, before.answers, -1), expected);
    }

    Drift.Reading reading() {
        var indices = new TreeMap<String, Double>();
        features.forEach((name, feature) -> {
            if (!feature.expected.isEmpty() && feature.expected.size() == feature.counts.size()) {
                indices.put(name, rounded(stability(feature.expected, feature.counts)));
            }
        });
        boolean hasProfile = !indices.isEmpty() || !expected.isEmpty();
        return new Drift.Reading(
                hasProfile, rows, indices, expected.isEmpty() ? OptionalDouble.empty() : answerDrift());
    }

    private OptionalDouble answerDrift() {
        var names = new TreeSet<>(expected.keySet());
        names.addAll(answers.keySet());
        return OptionalDouble.of(rounded(stability(
                names.stream().map(name -> expected.getOrDefault(name, 0.0)).toList(),
                names.stream().map(name -> answers.getOrDefault(name, 0.0)).toList())));
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    /// The population stability index: 0 for the same shares, above 0.2 for what people call drift.
    private static double stability(List<Double> expected, List<Double> found) {
        double total = sum(expected);
        double seen = sum(found);
        double index = 0;
        for (int i = 0; i < expected.size(); i++) {
            double before = Math.max(expected.get(i) / total, LEAST_SHARE);
            double after = Math.max(found.get(i) / seen, LEAST_SHARE);
            index += (after - before) * Math.log(after / before);
        }
        return index;
    }

    private static double sum(Collection<Double> numbers) {
        double sum = numbers.stream().mapToDouble(Double::doubleValue).sum();
        return sum == 0 ? 1 : sum;
    }
}
