package dev.towtank.controllers.testclusters.source;

import dev.towtank.cluster.Outside;
import dev.towtank.controllers.git.source.GitRepositories;
import dev.towtank.controllers.rendering.source.ChartStore;
import dev.towtank.controllers.testclusters.templates.ChartQuestion;
import dev.towtank.controllers.testclusters.templates.ChartWords;
import dev.towtank.model.helm.Chart;
import dev.towtank.model.helm.HelmError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Reads what charts say about their values.
public final class ChartReader implements Outside.Reader<ChartQuestion, ChartWords> {

    // An object must hold it, beside all else that is in a template's status.
    private static final int LONGEST = 128 << 10;

    private final GitRepositories repositories;
    private final Supplier<ChartStore> charts;

    /// @param charts made when the first is asked for
    public ChartReader(GitRepositories repositories, Supplier<ChartStore> charts) {
        this.repositories = repositories;
        this.charts = charts;
    }

    @Override
    public ChartWords read(ChartQuestion question) throws IOException {
        var files = files(question);
        if (!files.containsKey("Chart.yaml")) {
            return new ChartWords("", "", "");
        }
        try {
            Chart.of(files);
        } catch (HelmError e) {
            return ChartWords.error(e.text());
        }
        var values = text(files, "values.yaml");
        var schema = text(files, "values.schema.json");
        return values.length() > LONGEST || schema.length() > LONGEST
                ? ChartWords.error("values.yaml or values.schema.json is longer than " + LONGEST + " characters")
                : new ChartWords(values, schema, "");
    }

    private Map<String, byte[]> files(ChartQuestion question) throws IOException {
        var repository = question.repository();
        if (!question.chart().isEmpty()) {
            var address = repository.contains("://") ? repository : "oci://" + repository;
            return charts.get().files(address, question.chart(), question.revision());
        }
        var all = repositories.files(repository, repositories.commit(repository, question.revision()));
        var folder = question.path().replaceAll("^(\\./|/)+|/+$", "");
        if (folder.isEmpty() || folder.equals(".")) {
            return all;
        }
        var below = new TreeMap<String, byte[]>();
        all.forEach((path, content) -> {
            if (path.startsWith(folder + "/")) {
                below.put(path.substring(folder.length() + 1), content);
            }
        });
        if (below.isEmpty()) {
            throw new IOException(question.path() + ": app path does not exist");
        }
        return below;
    }

    private static String text(Map<String, byte[]> files, String name) {
        return new String(files.getOrDefault(name, new byte[0]), StandardCharsets.UTF_8);
    }
}
