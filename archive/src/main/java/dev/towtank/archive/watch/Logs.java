package dev.towtank.archive.watch;

import dev.towtank.archive.store.Bundle;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The logs of a run: of each TaskRun those of its steps and sidecars, and of a PipelineRun those of its TaskRuns.
public final class Logs {

    private static final String STEP = "step-";

    private final PodLogs pods;

    public Logs(PodLogs pods) {
        this.pods = pods;
    }

    /// Reads what a container has written.
    @FunctionalInterface
    public interface PodLogs {

        /// Empty when there is no log any more, or never was.
        Optional<InputStream> open(Resource pod, String container) throws IOException;

        /// Whether its oldest lines are gone.
        default boolean lacksBeginning(Resource pod, String container) throws IOException {
            return false;
        }
    }

    private record PodLog(PodLogs pods, Optional<Resource> pod, String container) implements Bundle.Source {
        @Override
        public Optional<InputStream> open() throws IOException {
            return pod.isEmpty() ? Optional.empty() : pods.open(pod.get(), container);
        }

        @Override
        public boolean lacksBeginning() throws IOException {
            return pod.isPresent() && pods.lacksBeginning(pod.get(), container);
        }
    }

    List<Bundle.Log> of(Archiving deed, String resultId) {
        var logs = new ArrayList<Bundle.Log>();
        var all = new ArrayList<Bundle.Part>();
        Stream.concat(Stream.of(deed.run()), deed.children().stream())
                .filter(run -> run.kind().equals("TaskRun"))
                .forEach(run -> {
                    var parts = parts(run, deed.pods());
                    all.addAll(parts);
                    logs.add(log(run, resultId, parts));
                });
        if (deed.run().kind().equals("PipelineRun")) {
            logs.add(log(deed.run(), resultId, all));
        }
        return logs;
    }

    private static Bundle.Log log(Resource run, String resultId, List<Bundle.Part> parts) {
        var name = Marks.log(run, resultId);
        var about = Json.Obj.builder()
                .put("kind", "Log")
                .put("apiVersion", "results.tekton.dev/v1alpha3")
                .put(
                        "metadata",
                        Json.Obj.builder()
                                .put("name", run.name() + "-log")
                                .put("namespace", run.namespace())
                                .put("uid", name)
                                .build())
                .put(
                        "spec",
                        Json.Obj.builder()
                                .put(
                                        "resource",
                                        Json.Obj.builder()
                                                .put("kind", run.kind())
                                                .put("namespace", run.namespace())
                                                .put("name", run.name())
                                                .put("uid", run.uid())
                                                .build())
                                .put("type", "File")
                                .build())
                .build();
        return new Bundle.Log(name, about, parts);
    }

    private List<Bundle.Part> parts(Resource run, List<Resource> all) {
        var task = run.labels().getOrDefault("tekton.dev/pipelineTask", run.name());
        var parts = new ArrayList<Bundle.Part>();
        for (var podName : podNames(run)) {
            var pod = all.stream()
                    .filter(each ->
                            each.name().equals(podName) && each.namespace().equals(run.namespace()))
                    .findFirst();
            for (var container : containers(run, pod)) {
                var step = container.startsWith(STEP) ? container.substring(STEP.length()) : container;
                var content = run.uid() + ":" + podName + ":" + container;
                parts.add(new Bundle.Part(task, step, content, new PodLog(pods, pod, container)));
            }
        }
        return parts;
    }

    /// Of the last attempt, and of those before it.
    static List<String> podNames(Resource run) {
        return Stream.concat(run.status().objects("retriesStatus").stream(), Stream.of(run.status()))
                .map(status -> status.string("podName"))
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    private static List<String> containers(Resource run, Optional<Resource> pod) {
        return pod.map(present -> present.spec().objects("containers").stream()
                        .map(container -> container.string("name"))
                        .toList())
                .orElseGet(() -> run.status().objects("steps").stream()
                        .map(step -> step.string("container"))
                        .filter(name -> !name.isEmpty())
                        .toList());
    }
}
