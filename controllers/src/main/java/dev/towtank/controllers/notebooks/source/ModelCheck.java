package dev.towtank.controllers.notebooks.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Timers;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What `modelValidation` asks for after a notebook has succeeded: are the models there, and do they answer as
/// expected?
public final class ModelCheck {

    private static final Kind<Json.Obj> SERVICE =
            Kind.namespaced("serving.kserve.io", "v1beta1", "InferenceService", "inferenceservices");
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int LARGEST_ANSWER = 4 << 20;

    private final Cluster cluster;
    private final Timers timers;
    private final Meters.Distribution durations;
    private final Meters.Count predictions;

    public ModelCheck(Cluster cluster, Timers timers, Meters meters) {
        this.cluster = cluster;
        this.timers = timers;
        durations = meters.histogram(
                "notebookvalidationjob_model_validation_duration_seconds",
                "How long models were asked after a notebook",
                List.of(0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0),
                "namespace",
                "platform",
                "result");
        predictions = meters.counter(
                "notebookvalidationjob_prediction_validations_total",
                "Predictions that were compared with what was expected, by how it went",
                "namespace",
                "platform",
                "result");
    }

    /// Goes on until they are as wanted, or until the time is over that the job gives.
    ///
    /// @return the status' `modelValidationResult`
    public Json.Obj of(Resource job) throws InterruptedException {
        var wanted = job.spec().object("modelValidation");
        var begun = timers.instant();
        var end = begun.plus(Durations.parse(wanted.string("timeout")));
        var platform = wanted.string("platform");
        var models = new ArrayList<Json>();
        boolean isGood = true;
        for (var name : wanted.array("targetModels").strings()) {
            var told = model(job, name, wanted, end);
            boolean isHealthy = told.string("status").equals("healthy");
            isGood &= isHealthy;
            models.add(told);
            if (wanted.flag("predictionValidation", "enabled")) {
                predictions.count(job.namespace(), platform, isHealthy ? "success" : "failure");
            }
        }
        durations.observe(
                Duration.between(begun, timers.instant()).toMillis() / 1000.0,
                job.namespace(),
                platform,
                isGood ? "success" : "failure");
        return Json.Obj.builder()
                .put("success", isGood)
                .put("platform", platform)
                .put("phase", wanted.string("phase"))
                .put("models", new Json.Arr(models))
                .build();
    }

    private Json.Obj model(Resource job, String name, Json.Obj wanted, Instant end) throws InterruptedException {
        for (; ; ) {
            var problem = problem(job, name, wanted);
            if (problem.isEmpty() || !timers.instant().isBefore(end)) {
                return Json.Obj.builder()
                        .put("name", name)
                        .put("status", problem.isEmpty() ? "healthy" : "unhealthy")
                        .putNonEmpty("message", problem.orElse(""))
                        .build();
            }
            timers.pause(PAUSE);
        }
    }

    private Optional<String> problem(Resource job, String name, Json.Obj wanted) throws InterruptedException {
        var service = cluster.get(SERVICE, new ObjectName(job.cluster(), job.namespace(), name));
        if (service.isEmpty()) {
            return Optional.of("there is no InferenceService " + name + " in namespace " + job.namespace());
        }
        boolean isReady = service.get().status().objects("conditions").stream()
                .anyMatch(each -> each.string("type").equals("Ready")
                        && each.string("status").equals("True"));
        if (!isReady) {
            return Optional.of("the InferenceService " + name + " is not ready");
        }
        var prediction = wanted.object("predictionValidation");
        return prediction.flag("enabled") && !prediction.string("testData").isEmpty()
                ? answered(service.get(), name, prediction)
                : Optional.empty();
    }

    private static Optional<String> answered(Resource service, String name, Json.Obj prediction)
            throws InterruptedException {
        // The address is the server's own word about a service of the same namespace, and nobody else's.
        var address = URI.create(service.status().string("url") + "/v1/models/" + name + ":predict");
        var request = HttpRequest.newBuilder(address)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(prediction.string("testData")));
        try (var client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .build()) {
            var answer = client.send(
                    request.build(),
                    HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofString(), LARGEST_ANSWER));
            if (answer.statusCode() != 200) {
                return Optional.of(name + " answered " + answer.statusCode() + ": " + cut(answer.body()));
            }
            var expected = prediction.string("expectedOutput");
            double tolerance = Double.parseDouble(prediction.string("tolerance"));
            return expected.isEmpty() || alike(JsonText.parse(expected), JsonText.parse(answer.body()), tolerance)
                    ? Optional.empty()
                    : Optional.of(name + " answered " + cut(answer.body()) + ", expected was " + cut(expected)
                            + " within " + prediction.string("tolerance"));
        } catch (IOException e) {
            return Optional.of(name + " does not answer: " + e.getClass().getSimpleName());
        } catch (JsonText.Malformed e) {
            return Optional.of("expectedOutput or the answer of " + name + " is no JSON: " + e.getMessage());
        }
    }

    /// What is expected may leave out fields of objects; numbers may differ a little.
    static boolean alike(Json expected, Json found, double tolerance) {
        return switch (expected) {
            case Json.Obj fields -> {
                for (var field : fields) {
                    var value = found instanceof Json.Obj object ? object.get(field.getKey()) : null;
                    if (value == null || !alike(field.getValue(), value, tolerance)) {
                        yield false;
                    }
                }
                yield found instanceof Json.Obj;
            }
            case Json.Arr items -> {
                if (!(found instanceof Json.Arr others) || others.size() != items.size()) {
                    yield false;
                }
                for (int i = 0; i < items.size(); i++) {
                    if (!alike(items.get(i), others.get(i), tolerance)) {
                        yield false;
                    }
                }
                yield true;
            }
            case Json.Int _, Json.Real _ ->
                number(found).isPresent()
                        && Math.abs(number(expected).orElse(0.0) - number(found).get()) <= tolerance;
            case Json.Null _, Json.Bool _, Json.Str _ -> expected.equals(found);
        };
    }

    private static Optional<Double> number(Json json) {
        return switch (json) {
            case Json.Int(var value) -> Optional.of((double) value);
            case Json.Real(var value) -> Optional.of(value);
            case Json.Null _, Json.Bool _, Json.Str _, Json.Arr _, Json.Obj _ -> Optional.empty();
        };
    }

    private static String cut(String text) {
        return text.length() > 200 ? text.substring(0, 200) + "…" : text;
    }
}
