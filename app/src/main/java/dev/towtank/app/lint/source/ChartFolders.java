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

    /// Whether it is installed with a chart.
    public static boolean isInstalled(String file) {
        return isTemplate(file) || around(file, "crds").isPresent();
    }

    /// Whether it lies in a chart, or a folder of one, where nothing of it is installed.
    public static boolean isLeftOut(String file) {
        return Stream.iterate(Path.of(file).getParent(), each -> each != null, Path::getParent)
                        .limit(2)
                        .anyMatch(folder -> Files.exists(folder.resolve(DESCRIPTION)))
                && !isInstalled(file);
    }

    /// Whether another chart has brought it.
    public static boolean isOfASubchart(String file) {
        return around(file, "charts").isPresent();
    }

    /// What a chart is called: that it has `templates` says nothing.
    public static String withoutTemplates(String file) {
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
