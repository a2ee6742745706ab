package dev.towtank.app.lint.source;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Where a file lies in a chart of Helm.
public final class ChartFolders {

    private static final String DESCRIPTION = "Chart.yaml";

    private ChartFolders() {}

    /// Whether a chart renders it.
    public static boolean isTemplate(String file) {
        return around(file, "templates").isPresent();
    }

    /// Whether another chart has brought it.
    static boolean isOfASubchart(String file) {
        return around(file, "charts").isPresent();
    }

    /// What a chart is called: that it has `templates` says nothing.
    static String withoutTemplates(String file) {
        return around(file, "templates")
                .map(chart -> chart.resolve(Path.of(file).getFileName()).toString())
                .orElse(file);
    }

    /// The chart with a folder of that name above a file.
    private static Optional<Path> around(String file, String name) {
        return Stream.iterate(Path.of(file).getParent(), each -> each != null, Path::getParent)
                .filter(folder -> folder.endsWith(name) && Files.exists(folder.resolveSibling(DESCRIPTION)))
                .findFirst()
                .map(folder -> folder.resolveSibling(""));
    }
}
