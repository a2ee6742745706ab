package dev.towtank.app.lint.standing;

import dev.towtank.app.lint.source.ChartFolders;
import dev.towtank.app.lint.source.SourceFiles;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Who applies files as they are: kustomizations that list them, charts, Applications of Argo CD and Kustomizations of
/// Flux whose folder they are in, Pipelines as Code, and what people and pipelines type.
public final class Appliers {

    private static final Pattern OF_PIPELINES_AS_CODE = Pattern.compile("(^|[/\\\\])\\.tekton[/\\\\]");
    private static final List<String> KUSTOMIZATIONS =
            List.of("kustomization.yaml", "kustomization.yml", "Kustomization");

    private final Named named;
    private final Set<String> listed;
    private final Set<Path> listedFolders;
    private final List<Delivery> deliveries;
    private final Map<Path, AppliedByHand> byHand = new HashMap<>();

    /// A folder of a repository that a controller delivers to a cluster.
    ///
    /// @param by the file that says so
    /// @param folder from the top of the repository
    /// @param isDeep whether with the folders below
    public record Delivery(String by, String folder, boolean isDeep) {}

    /// @param listed the files that kustomizations list, also as patches
    public Appliers(Named named, Set<String> listed, List<Delivery> deliveries) {
        this.named = named;
        this.listed = Set.copyOf(listed);
        this.listedFolders = listed.stream()
                .filter(file -> file.endsWith(".yaml") || file.endsWith(".yml"))
                .map(file -> Path.of(file).resolveSibling(""))
                .collect(Collectors.toSet());
        this.deliveries = List.copyOf(deliveries);
    }

    boolean apply(String file) {
        return SourceFiles.isKustomization(file)
                || listed.contains(Path.of(file).normalize().toString())
                || ChartFolders.isInstalled(file)
                || OF_PIPELINES_AS_CODE.matcher(named.inside(file)).find()
                || isDelivered(file)
                || byHand.computeIfAbsent(named.top(file), AppliedByHand::in).has(whole(file));
    }

    /// Whether Kustomize decides what is applied of its folder, and was not told of it.
    boolean leaveOut(String file) {
        var folder = whole(file).getParent();
        return folder != null
                && (isKustomized(folder)
                        || listedFolders.contains(Path.of(file).normalize().resolveSibling("")));
    }

    private boolean isDelivered(String file) {
        var whole = whole(file);
        return deliveries.stream().anyMatch(each -> holds(each, whole));
    }

    private boolean holds(Delivery delivery, Path file) {
        try {
            var folder = named.top(delivery.by).resolve(delivery.folder).normalize();
            return file.getParent() != null
                    && (delivery.isDeep
                            ? file.startsWith(folder)
                            : file.getParent().equals(folder))
                    && Stream.iterate(file.getParent(), each -> each.startsWith(folder), Appliers::above)
                            .noneMatch(Appliers::hasAListOfItsOwn);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static Path above(Path folder) {
        var above = folder.getParent();
        return above == null ? Path.of("") : above;
    }

    /// Whether Kustomize or Helm decides there what is applied.
    private static boolean hasAListOfItsOwn(Path folder) {
        return Files.exists(folder.resolve("Chart.yaml")) || isKustomized(folder);
    }

    private static boolean isKustomized(Path folder) {
        return KUSTOMIZATIONS.stream().anyMatch(name -> Files.exists(folder.resolve(name)));
    }

    private static Path whole(String file) {
        return Path.of(file).toAbsolutePath().normalize();
    }
}
