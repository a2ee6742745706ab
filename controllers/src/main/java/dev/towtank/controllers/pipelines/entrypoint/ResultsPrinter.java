package dev.towtank.controllers.pipelines.entrypoint;

import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Waits for the end of all steps, and prints what they left: a line of JSON for each result.
final class ResultsPrinter {

    private static final int LARGEST_READ = 8 * 1024 * 1024;

    private final RunningContainer container;
    private final EntrypointFlags flags;
    private final List<String> steps;

    ResultsPrinter(RunningContainer container, List<String> arguments) {
        this.container = container;
        this.flags = EntrypointFlags.parse(arguments);
        this.steps = container.pod().spec().objects("containers").stream()
                .map(each -> each.string("name"))
                .filter(name -> name.startsWith("step-"))
                .toList();
    }

    int run() throws InterruptedException {
        try {
            container.await(this::isOver);
        } catch (InterruptedException e) {
            // Whoever ends the pod may be faster than we saw the end of the last step.
            if (isOver()) {
                print();
            }
            throw e;
        }
        print();
        if (flags.isOn("kubernetes-sidecar-mode")) {
            awaitEnd();
        }
        return 0;
    }

    /// Kubernetes would start a sidecar again that ends by itself.
    private void awaitEnd() {
        try {
            container.await(() -> false);
        } catch (InterruptedException e) {
            // that is the end
        }
    }

    /// After a step that failed none of the others runs.
    private boolean isOver() {
        int done = 0;
        for (int i = 0; i < steps.size(); i++) {
            var file = run(i) + "/out";
            if (container.exists(file + ".err")) {
                return true;
            }
            done += container.exists(file) ? 1 : 0;
        }
        return done == steps.size();
    }

    private static String run(int step) {
        return "/tekton/run/" + step;
    }

    private void print() {
        for (var name : flags.names("result-names")) {
            print(flags.text("results-dir") + "/" + name, name, "task");
        }
        stepResults().forEach((step, names) -> {
            for (var name : ((Json.Arr) names).strings()) {
                print(status(step) + "/results/" + name, step + "." + name, "step");
            }
        });
        for (var step : flags.names("step-names")) {
            print(status(step) + "/artifacts/provenance.json", step, "stepArtifact");
        }
    }

    private Json.Obj stepResults() {
        var text = flags.text("step-results");
        return text.isEmpty() ? Json.Obj.EMPTY : JsonText.parseObject(text);
    }

    /// The directory of a step, by the way that has no link in it.
    private String status(String step) {
        return run(steps.indexOf(step)) + "/status";
    }

    // What cannot be read, such as a link or a pipe, has failed the step already.
    private void print(String path, String name, String type) {
        try {
            container
                    .read(path, LARGEST_READ)
                    .map(bytes -> Json.Obj.builder()
                            .put("name", name)
                            .put("value", new String(bytes, StandardCharsets.UTF_8))
                            .put("type", type)
                            .build())
                    .ifPresent(line -> container.log(line.toString()));
        } catch (IOException e) {
            // told by the step
        }
    }
}
