package dev.towtank.app.notebook;

import dev.towtank.app.client.ApiClient;
import dev.towtank.app.client.ClientProblem;
import dev.towtank.app.client.ObjectClient;
import dev.towtank.app.run.ExitCodes;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// One more run of a NotebookValidationJob on a server: a copy of it, as `kubectl create job --from` makes one of a
/// CronJob.
public final class JobAgain {

    private static final String JOBS = "notebookvalidationjobs.mlops.mlops.dev";

    /// On the copy: of which job it is.
    private static final String RUN_OF = "towtank.dev/run-of";

    /// Of others, about the job that is copied.
    private static final List<String> NOT_COPIED = List.of(
            "kubectl.kubernetes.io/last-applied-configuration",
            "mlops.dev/wave-complete",
            "mlops.dev/wave-failed",
            "mlops.dev/completion-time");

    private final ApiClient client;
    private final ObjectClient objects;
    private final String namespace;
    private final PrintStream out;

    public JobAgain(ApiClient client, String namespace, PrintStream out) {
        this.client = client;
        this.objects = new ObjectClient(client, namespace);
        this.namespace = namespace;
        this.out = out;
    }

    /// The name of the job where a job is meant, and no file.
    public static Optional<String> named(Path word) {
        return word.getNameCount() == 2 && word.startsWith("nvj") && !Files.exists(word)
                ? Optional.of(String.valueOf(word.getFileName()))
                : Optional.empty();
    }

    /// Shows what the notebook writes, and how it ended.
    ///
    /// @return the exit code
    public int run(String name) throws IOException {
        var job = objects.find(JOBS, name)
                .orElseThrow(() -> new ClientProblem(
                        "There is no NotebookValidationJob " + name + " in namespace " + namespace + "."));
        var made = objects.create(List.of(copy(job))).getFirst().name();
        out.println("notebookvalidationjob/" + made + " created");
        await(made, List.of("ValidationRunning", "Succeeded", "Failed"));
        showLog(made + "-validation");
        var status = await(made, List.of("Succeeded", "Failed")).status();
        out.println(status.string("message"));
        boolean isTimeout = status.objects("conditions").stream()
                .anyMatch(condition -> condition.string("reason").equals("ValidationTimeout"));
        return status.string("phase").equals("Succeeded")
                ? ExitCodes.SUCCEEDED
                : isTimeout ? ExitCodes.TIMED_OUT : ExitCodes.FAILED;
    }

    private static Json.Obj copy(Resource job) {
        var annotations = new TreeMap<>(job.annotations());
        NOT_COPIED.forEach(annotations::remove);
        annotations.put(RUN_OF, job.name());
        var metadata = Json.Obj.builder()
                .put("generateName", job.name() + "-")
                .put("namespace", job.namespace())
                .put("labels", Json.Obj.ofStrings(job.labels()))
                .put("annotations", Json.Obj.ofStrings(annotations))
                .build();
        return Json.Obj.builder()
                .put("apiVersion", "mlops.mlops.dev/v1alpha1")
                .put("kind", "NotebookValidationJob")
                .put("metadata", metadata)
                .put("spec", job.spec())
                .build();
    }

    private Resource await(String name, List<String> phases) {
        return objects.await(JOBS, name, job -> phases.contains(job.status().string("phase")))
                .orElseThrow(() -> new ClientProblem("NotebookValidationJob " + name + " was deleted meanwhile."));
    }

    private void showLog(String pod) throws IOException {
        var path = "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/log?container=validator&follow=true";
        try (var log = client.stream(path)) {
            log.transferTo(out);
        } catch (StatusError e) {
            out.println("The log cannot be shown: " + e.getMessage());
        }
    }
}
