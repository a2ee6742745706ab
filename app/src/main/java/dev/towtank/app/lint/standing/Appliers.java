package dev.towtank.app.lint.standing;

import dev.towtank.app.lint.source.ChartFolders;
import dev.towtank.app.lint.source.SourceFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Who applies files as they are: kustomizations that list them, charts, Applications of Argo CD and Kustomizations of
/// Flux whose folder they are in, Pipelines as Code, and what people and pipelines type.
public final class Appliers {

    private static final Pattern OF_PIPELINES_AS_CODE = Pattern.compile("(^|[/\\\\])\\.tekton[/\\\\]");

    private final Named named;
    private final Listings listings;
    private final Set<Path> listedFolders;
    private final Map<Path, AppliedByHand> byHand = new HashMap<>();
    private final Map<Path, Builds> builds = new HashMap<>();

    public Appliers(Named named, Listings listings) {
        this.named = named;
        this.listings = listings;
        this.listedFolders = Stream.concat(listings.listedBy().keySet().stream(), listings.patches().stream())
                .filter(file ->
                        file.toString().endsWith(".yaml") || file.toString().endsWith(".yml"))
                .map(file -> file.resolveSibling(""))
                .collect(Collectors.toSet());
    }

    boolean apply(String name) {
        var file = whole(name);
        var top = named.top(name);
        return isBuilt(file, top)
                || listings.patches().contains(file)
                || ChartFolders.isInstalled(name)
                || OF_PIPELINES_AS_CODE.matcher(named.inside(name)).find()
                || builds(top).deliver(file)
                || byHand(top).has(file);
    }

    private boolean isBuilt(Path file, Path top) {
        return SourceFiles.isKustomization(file.toString())
                ? builds(top).has(file)
                : listings.of(file).stream().anyMatch(builds(top)::has);
    }

    /// Whether Kustomize decides what is applied of its folder, and was not told of it, or nobody asks it to.
    boolean leaveOut(String name) {
        var file = whole(name);
        var folder = file.getParent();
        return folder != null
                && (isKustomized(folder)
                        || !listings.of(file).isEmpty()
                        || listedFolders.contains(file.resolveSibling(""))
                        || builds(named.top(name)).leaveOut(file));
    }

    /// Whether Flux lets Kustomize build it, though no kustomization lists it.
    boolean build(String name) {
        return builds(named.top(name)).make(whole(name));
    }

    /// Whether the repository of a file says of any other that it is applied.
    boolean applyOthers(String name) {
        var top = named.top(name);
        return builds(top).isSomething() || byHand(top).isSomething();
    }

    private AppliedByHand byHand(Path top) {
        return byHand.computeIfAbsent(top, AppliedByHand::in);
    }

    private Builds builds(Path top) {
        var known = builds.get(top);
        if (known == null) {
            known = new Builds(top, listings, byHand(top)::has);
            builds.put(top, known);
        }
        return known;
    }

    /// Whether Kustomize or Helm decides there what is applied.
    static boolean hasAListOfItsOwn(Path folder) {
        return Files.exists(folder.resolve("Chart.yaml")) || isKustomized(folder);
    }

    private static boolean isKustomized(Path folder) {
        return SourceFiles.KUSTOMIZATIONS.stream().anyMatch(name -> Files.exists(folder.resolve(name)));
    }

    private static Path whole(String file) {
        return Path.of(file).toAbsolutePath().normalize();
    }
}
