package dev.towtank.controllers.models;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What is known about versions of models, as Prometheus reads it.
final class ModelSeries {

    private final Map<String, List<String>> lines = new TreeMap<>();

    private ModelSeries() {}

    static String of(List<Resource> versions, List<Resource> policies) {
        var series = new ModelSeries();
        versions.forEach(series::add);
        policies.forEach(series::addDrift);
        var text = new StringBuilder();
        series.lines.forEach((name, values) -> {
            text.append("# TYPE ").append(name).append(" gauge\n");
            values.forEach(value -> text.append(name).append(value).append('\n'));
        });
        return text.toString();
    }

    private void add(Resource version) {
        var spec = version.spec();
        var labels = "namespace=" + quoted(version.namespace()) + ",model=" + quoted(spec.string("model"));
        var whose = labels + ",version=" + quoted(spec.string("version"));
        var state = version.status().string("state");
        line("model_version_info", whose + ",state=" + quoted(state), "1");
        spec.object("metrics").forEach((name, value) -> {
            line("model_metric", whose + ",name=" + quoted(name), value.toString());
            if (name.equals("accuracy") && state.equals("current")) {
                line("model_accuracy", labels, value.toString());
            }
            if (name.equals("train_duration_seconds")) {
                line("model_train_duration_seconds", whose, value.toString());
            }
        });
        for (Json.Obj check : spec.objects("gate", "checks")) {
            var found = switch (check.string("state")) {
                case "passed" -> "1";
                case "failed" -> "0";
                default -> "NaN"; // it did not run: neither
            };
            line("model_health_check", whose + ",check=" + quoted(check.string("name")), found);
        }
    }

    private void addDrift(Resource policy) {
        var status = policy.status();
        var labels = "namespace=" + quoted(policy.namespace()) + ",model="
                + quoted(policy.spec().string("model"));
        if (status.has("psi")) {
            line("model_psi", labels + ",feature=" + quoted(status.string("feature")), status.string("psi"));
        }
        if (status.has("predictionDrift")) {
            line("model_prediction_drift", labels, status.string("predictionDrift"));
        }
    }

    private void line(String name, String labels, String value) {
        lines.computeIfAbsent(name, _ -> new ArrayList<>()).add("{" + labels + "} " + value);
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
