package dev.towtank.controllers.serving;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// How a new revision takes over where that does not happen at once: shares of the requests, each watched for a while.
/// An annotation of the InferenceService says it, as YAML.
///
/// @param percents that it gets, one after another; the rest follows the last of them
/// @param every how long each is watched
/// @param maxErrorRate of its answers that may be errors
/// @param minRequests that it must have answered before the next step
/// @param test what it is asked at the end of each step, and what it has to answer
record Steps(List<Long> percents, Duration every, double maxErrorRate, long minRequests, Optional<Test> test) {

    static final String ANNOTATION = "towtank.dev/rollout";

    private static final Set<String> FIELDS = Set.of("steps", "every", "maxErrorRate", "minRequests", "test");
    private static final Set<String> TEST_FIELDS = Set.of("instances", "predictions", "tolerance");
    private static final int MOST_STEPS = 20;
    private static final int LONGEST_TEXT = 64 << 10;
    private static final Duration LONGEST = Duration.ofDays(1);

    Steps {
        percents = List.copyOf(percents);
    }

    /// @param predictions that are expected; without them, as many finite numbers as rows are
    record Test(Json.Arr instances, Optional<Json.Arr> predictions, double tolerance) {}

    /// Of an InferenceService whose annotation was accepted.
    static Optional<Steps> of(Resource service) {
        var text = service.annotations().getOrDefault(ANNOTATION, "");
        return text.isBlank() || problem(text).isPresent() ? Optional.empty() : Optional.of(read(text));
    }

    private static Steps read(String text) {
        var document = (Json.Obj) YamlText.parse(text);
        var test = document.object("test");
        return new Steps(
                percents(document),
                Durations.parse(or(document.string("every"), "1m")),
                number(document.get("maxErrorRate"), 0.05),
                document.integer("minRequests"),
                document.has("test")
                        ? Optional.of(new Test(
                                test.array("instances"),
                                test.has("predictions") ? Optional.of(test.array("predictions")) : Optional.empty(),
                                number(test.get("tolerance"), 1e-6)))
                        : Optional.empty());
    }

    private static List<Long> percents(Json.Obj document) {
        return StreamSupport.stream(document.array("steps").spliterator(), false)
                .map(percent -> percent instanceof Json.Int(var value) ? value : -1L)
                .toList();
    }

    private static String or(String text, String usual) {
        return text.isEmpty() ? usual : text;
    }

    private static double number(@Nullable Json json, double usual) {
        return switch (json) {
            case Json.Int(var value) -> value;
            case Json.Real(var value) -> value;
            case null, default -> usual;
        };
    }

    /// Why a text is no roll-out by steps.
    static Optional<String> problem(String text) {
        try {
            return problemOf(text).map(why -> ANNOTATION + ": " + why);
        } catch (Durations.Malformed e) {
            return Optional.of(ANNOTATION + ": every is a time such as 30s or 5m: " + e.getMessage());
        } catch (JsonText.Malformed e) {
            return Optional.of(ANNOTATION + " is no YAML: " + e.getMessage());
        }
    }

    private static Optional<String> problemOf(String text) {
        if (text.length() > LONGEST_TEXT) {
            return Optional.of("it is longer than " + LONGEST_TEXT + " characters");
        }
        if (!(YamlText.parse(text) instanceof Json.Obj document)) {
            return Optional.of("it is a map such as {steps: [10, 50, 100], every: 1m, maxErrorRate: 0.05}");
        }
        var unknown = document.keys().stream()
                .filter(field -> !FIELDS.contains(field))
                .findFirst();
        if (unknown.isPresent()) {
            return Optional.of("there is no field " + unknown.get()
                    + "; there are steps, every, maxErrorRate, minRequests and test");
        }
        var percents = percents(document);
        boolean ascends = !percents.isEmpty()
                && percents.size() <= MOST_STEPS
                && percents.getFirst() >= 1
                && percents.getLast() <= 100;
        for (int i = 1; i < percents.size(); i++) {
            ascends &= percents.get(i) > percents.get(i - 1);
        }
        if (!ascends) {
            return Optional.of(
                    "steps are 1 to " + MOST_STEPS + " whole numbers from 1 to 100, each larger than the one before");
        }
        return numbers(document).or(() -> document.has("test") ? test(document.get("test")) : Optional.empty());
    }

    private static Optional<String> numbers(Json.Obj document) {
        var every = Durations.parse(or(document.string("every"), "1m"));
        if ((document.has("every") && document.string("every").isEmpty())
                || every.isNegative()
                || every.compareTo(LONGEST) > 0) {
            return Optional.of("every is a time from 0s to 24h, such as 1m");
        }
        if (document.has("maxErrorRate")
                && !(number(document.get("maxErrorRate"), -1) >= 0 && number(document.get("maxErrorRate"), -1) <= 1)) {
            return Optional.of("maxErrorRate is a number from 0 to 1");
        }
        return document.has("minRequests")
                        && (!(document.get("minRequests") instanceof Json.Int(var least)) || least < 0)
                ? Optional.of("minRequests is a whole number that is not negative")
                : Optional.empty();
    }

    private static Optional<String> test(@Nullable Json json) {
        if (!(json instanceof Json.Obj test)
                || test.array("instances").size() == 0
                || !TEST_FIELDS.containsAll(test.keys())) {
            return Optional.of("test has instances, which are rows, and may have predictions and tolerance");
        }
        return test.has("predictions")
                        && test.array("predictions").size()
                                != test.array("instances").size()
                ? Optional.of("test has not as many predictions as instances")
                : Optional.empty();
    }
}
