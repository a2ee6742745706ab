package dev.towtank.app.conformance;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;

/// Tries many examples, several at once.
///
/// @param setsFlags whether the server is ours, to be given the flags that each stage needs
/// @param catalog where the examples come from that bring scripts of their own
/// @param told about each example when it is done
public record Conformance(
        Api api,
        InstantSource clock,
        int parallel,
        Duration patience,
        boolean setsFlags,
        Optional<Catalog> catalog,
        Consumer<Verdict.Of> told) {

    /// @param kubeconfig of the server, for the scripts
    public record Catalog(CatalogCopy copy, Path kubeconfig) {}

    private static final String FLAGS = "/api/v1/namespaces/tekton-pipelines/configmaps";

    /// In the order of the examples.
    public List<Verdict.Of> run(List<Example> examples) throws InterruptedException {
        var results = new ArrayList<Verdict.Of>();
        if (!setsFlags) {
            results.addAll(tryAll(examples));
            return results;
        }
        api.send("POST", "/api/v1/namespaces", """
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "tekton-pipelines"}}""");
        for (var stage : Stage.values()) {
            var those = examples.stream().filter(each -> each.stage() == stage).toList();
            if (!those.isEmpty()) {
                set(stage);
                results.addAll(tryAll(those));
            }
        }
        results.sort(java.util.Comparator.comparing(each -> each.example().name()));
        return results;
    }

    private void set(Stage stage) {
        var data = Json.Obj.builder();
        stage.flags().forEach(data::put);
        var map = Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put("metadata", Json.Obj.of("name", Json.of("feature-flags")))
                .put("data", data.build())
                .build();
        api.send("DELETE", FLAGS + "/feature-flags", "");
        var answer = api.send("POST", FLAGS, JsonText.write(map));
        if (!answer.isGood()) {
            throw new IllegalStateException("the server did not take the feature flags: " + answer.body());
        }
    }

    private List<Verdict.Of> tryAll(List<Example> examples) throws InterruptedException {
        var kinds = new KindPaths(api);
        var results = new ArrayList<Verdict.Of>();
        try (var workers =
                Executors.newFixedThreadPool(parallel, Thread.ofVirtual().factory())) {
            var started = new ArrayList<Future<List<Verdict.Of>>>();
            if (catalog.isPresent()) {
                var trial = new CatalogTrial(
                        api, kinds, catalog.get().copy(), catalog.get().kubeconfig(), patience);
                examples.stream()
                        .collect(groupingBy(CatalogCopy::taskOf, TreeMap::new, toList()))
                        .values()
                        .forEach(versions -> started.add(workers.submit(() -> versions.stream()
                                .map(version -> tried(trial::of, version))
                                .toList())));
            } else {
                for (int i = 0; i < examples.size(); i++) {
                    var example = examples.get(i);
                    var trial = new Trial(api, kinds, example.slug() + "-" + i, patience, setsFlags);
                    started.add(workers.submit(() -> List.of(tried(trial::of, example))));
                }
            }
            for (var each : started) {
                results.addAll(result(workers, each));
            }
        }
        return results;
    }

    private Verdict.Of tried(Function<Example, Verdict> trial, Example example) {
        var begin = clock.instant();
        var verdict = trial.apply(example);
        var result = new Verdict.Of(example, verdict, Duration.between(begin, clock.instant()));
        told.accept(result);
        return result;
    }

    private static List<Verdict.Of> result(ExecutorService workers, Future<List<Verdict.Of>> each)
            throws InterruptedException {
        try {
            return each.get();
        } catch (ExecutionException e) {
            workers.shutdownNow();
            throw e.getCause() instanceof RuntimeException problem ? problem : new IllegalStateException(e.getCause());
        }
    }
}
