package dev.towtank.app.client;

import dev.towtank.model.Json;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds runs by what people call them.
public final class RunLookup {
    /// Where a bare name is looked for, in this order.
    private static final Map<String, ResourceType> KINDS = kinds();

    private final ApiClient client;
    private final String namespace;

    public record Found(ResourceType type, Json.Obj object) {
        public String name() {
            return object.string("metadata", "name");
        }

        public boolean isPipelineRun() {
            return type.equals(ResourceType.PIPELINE_RUNS);
        }

        boolean isPod() {
            return type.equals(ResourceType.PODS);
        }

        String title() {
            return type.kind() + " " + name();
        }
    }

    public RunLookup(ApiClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    private static Map<String, ResourceType> kinds() {
        var kinds = new LinkedHashMap<String, ResourceType>();
        for (var name : List.of("pipelinerun", "pipelineruns", "pr", "prs")) {
            kinds.put(name, ResourceType.PIPELINE_RUNS);
        }
        for (var name : List.of("taskrun", "taskruns", "tr", "trs")) {
            kinds.put(name, ResourceType.TASK_RUNS);
        }
        for (var name : List.of("pod", "pods", "po")) {
            kinds.put(name, ResourceType.PODS);
        }
        return Map.copyOf(kinds);
    }

    /// @param word `pr/name`, `tr/name`, `pod/name`, or a name alone, which is looked for among all of them
    Found runOrPod(String word) {
        return find(word, List.of(ResourceType.PIPELINE_RUNS, ResourceType.TASK_RUNS, ResourceType.PODS));
    }

    public Found run(String word) {
        return find(word, List.of(ResourceType.PIPELINE_RUNS, ResourceType.TASK_RUNS));
    }

    private Found find(String word, List<ResourceType> among) {
        int slash = word.indexOf('/');
        var name = word.substring(slash + 1);
        if (name.isEmpty()) {
            throw new ClientProblem("\"" + word + "\" names nothing: write KIND/NAME, or a name alone.");
        }
        var places = slash < 0 ? among : List.of(kind(word.substring(0, slash), among));
        for (var type : places) {
            var object = client.find(type.path(namespace, name));
            if (object.isPresent()) {
                return new Found(type, object.get());
            }
        }
        var looked = String.join(" or ", places.stream().map(ResourceType::kind).toList());
        throw new ClientProblem("There is no " + looked + " \"" + name + "\" in namespace " + namespace
                + ". 'towtank get " + places.getFirst().plural() + " -A' lists those that there are.");
    }

    private static ResourceType kind(String word, List<ResourceType> among) {
        return Optional.ofNullable(KINDS.get(word.replaceFirst("\\.tekton\\.dev$", "")))
                .filter(among::contains)
                .orElseThrow(() -> new ClientProblem("\"" + word + "\" is none of the kinds that this works for: "
                        + String.join(
                                ", ", among.stream().map(ResourceType::singular).toList()) + "."));
    }

    /// The TaskRuns of a PipelineRun, in the order in which they began.
    public List<Json.Obj> taskRuns(Json.Obj pipelineRun) {
        var name = pipelineRun.string("metadata", "name");
        var order = pipelineRun.objects("status", "childReferences").stream()
                .map(child -> child.string("name"))
                .toList();
        var path = ResourceType.TASK_RUNS.path(namespace) + "?labelSelector=tekton.dev%2FpipelineRun%3D"
                + ResourceType.segment(name);
        return client.get(path).objects("items").stream()
                .sorted(Comparator.comparing(RunLookup::began)
                        .thenComparingInt(run -> order.indexOf(run.string("metadata", "name"))))
                .toList();
    }

    private static String began(Json.Obj run) {
        var attempts = run.objects("status", "retriesStatus");
        var first = attempts.isEmpty()
                ? run.string("status", "startTime")
                : attempts.getFirst().string("startTime");
        return first.isEmpty() ? "9" : first; // what has not begun comes last
    }

    /// What the condition of a run says.
    static Json.Obj condition(Json.Obj run) {
        return run.objects("status", "conditions").stream()
                .filter(each -> each.string("type").equals("Succeeded"))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
    }

    static boolean isDone(Json.Obj run) {
        var status = condition(run).string("status");
        return status.equals("True") || status.equals("False");
    }

    /// How a TaskRun is called within its PipelineRun: as the task, with what tells the children of a
    /// matrix apart.
    static String taskName(String pipelineRun, Json.Obj taskRun) {
        var task = taskRun.string("metadata", "labels", "tekton.dev/pipelineTask");
        var name = taskRun.string("metadata", "name");
        var own = name.startsWith(pipelineRun + "-") ? name.substring(pipelineRun.length() + 1) : "";
        return own.startsWith(task + "-") && own.substring(task.length() + 1).matches("\\d+") ? own : task;
    }
}
