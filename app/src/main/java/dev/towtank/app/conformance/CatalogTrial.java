package dev.towtank.app.conformance;

import dev.towtank.app.conformance.Verdict.Failed;
import dev.towtank.app.conformance.Verdict.Passed;
import dev.towtank.model.Json;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Tries a test of Tekton's catalog with the catalog's own scripts: they create what it needs, add what it wants beside
/// the task, wait, and judge.
///
/// @param kubeconfig of the server
record CatalogTrial(Api api, KindPaths kinds, CatalogCopy catalog, Path kubeconfig, Duration patience) {

    private static final int LAST_LINES = 5;

    Verdict of(Example example) {
        var namespace = CatalogCopy.namespace(example);
        try {
            var output = Files.createTempFile("towtank-catalog", ".log");
            try {
                return ended(output, List.of("bash", CatalogCopy.TRIAL, example.name() + "/tests"))
                        ? new Passed()
                        : judged(example, namespace, said(output));
            } finally {
                ended(output, List.of("bash", "-c", "kubectl delete namespace --ignore-not-found " + namespace));
                Files.delete(output);
            }
        } catch (IOException e) {
            return new Failed("cannot be tried: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Failed("interrupted");
        }
    }

    /// Whether a command ended well, and in time.
    private boolean ended(Path output, List<String> command) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command)
                .directory(catalog.root().toFile())
                .redirectErrorStream(true)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().put("BUILD_NUMBER", "1"); // in a build the scripts ask for no cluster of their own
        builder.environment().put("CATALOG_TEST_SKIP_CLEANUP", "1"); // what is left tells why
        var process = builder.start();
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Verdict judged(Example example, String namespace, String output) throws IOException {
        var trial = new Trial(api, kinds, namespace, patience, false);
        // Those of tasks first: they tell more than what they are part of.
        var left = Stream.of("taskruns", "pipelineruns")
                .flatMap(kind -> trial.list("/apis/tekton.dev/v1/namespaces/" + namespace + "/" + kind).stream())
                .filter(run -> !Evidence.condition(run).string("status").equals("True"))
                .findFirst();
        var evidence = trial.evidence(left.orElse(Json.Obj.EMPTY), CatalogCopy.text(example))
                .and(new Evidence.Log("script", left.isPresent() ? "" : output));
        return left.map(run -> evidence.verdict(Trial.isOver(run)))
                .orElseGet(() -> evidence.verdict("no run is left that failed; the script said: " + lastOf(output)));
    }

    /// Without what the scripts of others, which it builds on, say of themselves: that is nothing the test needs.
    private static String said(Path output) throws IOException {
        return Files.readString(output, StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> !line.contains("/vendor/"))
                .collect(Collectors.joining("\n"));
    }

    /// What the script said last; it says much about what it finds around it.
    private static String lastOf(String output) {
        var lines = output.lines().filter(line -> !line.isBlank()).toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }
}
