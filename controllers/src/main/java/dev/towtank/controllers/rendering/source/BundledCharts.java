package dev.towtank.controllers.rendering.source;

import dev.towtank.model.helm.Chart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Charts that come with the program, as a repository that every server has.
public final class BundledCharts {

    /// The address of the repository.
    public static final String ADDRESS = "towtank://charts";

    /// By their names.
    private static final Map<String, Map<String, byte[]>> CHARTS = read();

    private BundledCharts() {}

    static boolean isAddress(String repository) {
        return repository.replaceFirst("/+$", "").equals(ADDRESS);
    }

    static String version(String chart, String wanted) throws IOException {
        var there = Chart.of(known(chart)).version();
        if (Versions.choose(List.of(there), wanted).isEmpty()) {
            throw new IOException("chart \"" + chart + "\" matching version \"" + wanted + "\" not found in " + ADDRESS
                    + " repository, which has " + there);
        }
        return there;
    }

    static Map<String, byte[]> files(String chart, String wanted) throws IOException {
        version(chart, wanted);
        return known(chart);
    }

    private static Map<String, byte[]> known(String chart) throws IOException {
        var files = CHARTS.get(chart);
        if (files == null) {
            throw new IOException("chart \"" + chart + "\" not found in " + ADDRESS + " repository, which has "
                    + String.join(", ", CHARTS.keySet()));
        }
        return files;
    }

    private static Map<String, Map<String, byte[]>> read() {
        var charts = new TreeMap<String, Map<String, byte[]>>();
        var index = new String(content("index"), StandardCharsets.UTF_8);
        index.lines().forEach(path -> {
            int slash = path.indexOf('/');
            charts.computeIfAbsent(path.substring(0, slash), _ -> new TreeMap<>())
                    .put(path.substring(slash + 1), content(path));
        });
        return charts;
    }

    private static byte[] content(String path) {
        try (var in = BundledCharts.class.getResourceAsStream("charts/" + path)) {
            if (in == null) {
                throw new IllegalStateException("charts/" + path + " is not where it was built into");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
