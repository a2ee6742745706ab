package dev.towtank.controllers.pipelines.entrypoint;

import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.When;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Puts what earlier steps left behind in the place of `$(steps.<step>.results.<result>)` and
/// `$(steps.<step>.outputs.<name>)`: values that are known only while the pod runs.
final class StepValues {

    private static final Pattern RESULT = Pattern.compile("\\$\\(steps\\.(.*?)\\.results\\.(.*?)\\)");
    private static final Pattern ARTIFACT =
            Pattern.compile("\\$\\(steps\\.([^.()]+)\\.(inputs|outputs)(?:\\.([^.()]+))?\\)");
    private static final Pattern INDEX = Pattern.compile("(.*)\\[([0-9]+|\\*)]");

    /// What Linux lets a process start with: no more is made of results that are named often.
    private static final int MOST = 2 * 1024 * 1024;

    private final RunningContainer container;
    private final List<String> steps;
    private final int limit;
    private int left = MOST;

    StepValues(RunningContainer container, int limit) {
        this.container = container;
        this.limit = limit;
        this.steps = container.pod().spec().objects("containers").stream()
                .map(spec -> spec.string("name"))
                .filter(name -> name.startsWith("step-"))
                .toList();
    }

    List<String> inCommand(List<String> command) throws IOException {
        var all = new ArrayList<String>();
        for (var word : command) {
            all.addAll(inWord(word));
        }
        var replaced = new ArrayList<String>();
        for (var word : all) {
            replaced.add(artifacts(word));
        }
        return replaced;
    }

    Map<String, String> inEnvironment(Map<String, String> environment) throws IOException {
        var replaced = new LinkedHashMap<String, String>();
        for (var variable : environment.entrySet()) {
            replaced.put(variable.getKey(), artifacts(text(variable.getValue())));
        }
        return replaced;
    }

    List<When> inConditions(List<When> conditions) throws IOException {
        var replaced = new ArrayList<When>();
        for (var when : conditions) {
            var values = new ArrayList<String>();
            for (var value : when.values()) {
                values.addAll(inWord(value));
            }
            replaced.add(new When(text(when.input()), when.operator(), values, text(when.cel())));
        }
        return replaced;
    }

    /// A script's text, in which only artifacts are replaced.
    String artifacts(String text) throws IOException {
        var matcher = ARTIFACT.matcher(text);
        var result = new StringBuilder();
        int end = 0;
        while (matcher.find()) {
            var name = matcher.group(3) == null ? "" : matcher.group(3);
            result.append(text, end, matcher.start())
                    .append(counted(artifact(matcher.group(1), matcher.group(2), name)));
            end = matcher.end();
        }
        return result.append(text, end, text.length()).toString();
    }

    /// A word that is one whole array becomes several.
    private List<String> inWord(String word) throws IOException {
        var matcher = RESULT.matcher(word);
        if (matcher.find() && matcher.group(2).endsWith("[*]")) {
            if (!matcher.matches()) {
                throw new IOException(
                        "value must be in \"$(steps.<step-name>.results.<result-name>[*])\" format, when using array results");
            }
            var name = matcher.group(2);
            if (read(matcher.group(1), name.substring(0, name.length() - 3)) instanceof ParamValue.Array(var items)) {
                for (var item : items) {
                    counted(item);
                }
                return items;
            }
            return List.of("");
        }
        return List.of(text(word));
    }

    private String counted(String value) throws IOException {
        left -= value.length() + 1;
        if (left < 0) {
            throw new IOException("the results of earlier steps make this one longer than " + MOST
                    + " characters; read them from their files instead");
        }
        return value;
    }

    private String text(String text) throws IOException {
        var matcher = RESULT.matcher(text);
        var result = new StringBuilder();
        int end = 0;
        while (matcher.find()) {
            result.append(text, end, matcher.start()).append(counted(value(matcher.group(1), matcher.group(2))));
            end = matcher.end();
        }
        return result.append(text, end, text.length()).toString();
    }

    private String value(String step, String reference) throws IOException {
        var index = INDEX.matcher(reference);
        if (index.matches()) {
            var items = read(step, index.group(1)) instanceof ParamValue.Array(var found) ? found : List.<String>of();
            int position = index.group(2).equals("*") ? items.size() : Integer.parseInt(index.group(2));
            if (position >= items.size()) {
                throw new IOException("result " + reference + " of step " + step + " has no such item");
            }
            return items.get(position);
        }
        int dot = reference.indexOf('.');
        if (dot > 0) {
            var entries = read(step, reference.substring(0, dot)) instanceof ParamValue.Keyed(var found)
                    ? found
                    : Map.<String, String>of();
            return entries.getOrDefault(reference.substring(dot + 1), "");
        }
        return read(step, reference).textOrEmpty();
    }

    private ParamValue read(String step, String result) throws IOException {
        var text = file(step, "results/" + result);
        try {
            return ParamValue.read(JsonText.parse(text));
        } catch (JsonText.Malformed e) {
            return ParamValue.of(text);
        }
    }

    private String artifact(String step, String direction, String name) throws IOException {
        try {
            var all = JsonText.parseObject(file(step, "artifacts/provenance.json"));
            for (var artifact : all.objects(direction)) {
                if (artifact.string("name").equals(name) || name.isEmpty()) {
                    return artifact.get("values") instanceof Json.Arr values ? values.toString() : "[]";
                }
            }
        } catch (JsonText.Malformed e) {
            throw new IOException("the artifacts of step " + step + " are no JSON: " + e.getMessage(), e);
        }
        throw new IOException("values for template $(steps.%s.%s.%s) not found".formatted(step, direction, name));
    }

    private String file(String step, String file) throws IOException {
        int number = steps.indexOf("step-" + step);
        if (number < 0) {
            throw new IOException("there is no step " + step);
        }
        var path = "/tekton/run/" + number + "/status/" + file;
        return container
                .read(path, limit)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElseThrow(() -> new IOException("open " + path + ": no such file or directory"));
    }
}
