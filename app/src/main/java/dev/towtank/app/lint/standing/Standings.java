package dev.towtank.app.lint.standing;

import dev.towtank.app.lint.source.ChartFolders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/// How files stand, each decided once.
public final class Standings {

    private final Named named;
    private final Appliers appliers;
    private final Programs programs = new Programs();
    private final Releases releases = new Releases();
    private final Abandoned abandoned = new Abandoned();
    private final Map<String, Standing> known = new HashMap<>();

    public Standings(Named named, Appliers appliers) {
        this.named = named;
        this.appliers = appliers;
    }

    public Standing of(String file) {
        var before = known.get(file);
        if (before == null) {
            before = decide(file);
            known.put(file, before);
        }
        return before;
    }

    /// Whether Kustomize reads it before a server does, though no kustomization lists it.
    public boolean isBuilt(String file) {
        return appliers.build(file);
    }

    /// Whether it says by its name that it is for clusters, or of a release, of other times.
    public boolean isOfOtherTimes(String file) {
        return !named.has(file) && Purpose.isOfOtherTimes(named.inside(file));
    }

    private Standing decide(String file) {
        if (named.has(file)) {
            return Standing.MEANT;
        }
        var purpose = Purpose.of(named.inside(ChartFolders.withoutTemplates(file)));
        if (purpose != Purpose.NOT_TO_BE_APPLIED && named.hasNear(file)) {
            return Standing.MEANT;
        }
        if (purpose != Purpose.ANY
                || ChartFolders.isOfASubchart(file)
                || hasASolution(Path.of(file))
                || abandoned.has(Path.of(file))
                || releases.hasNewer(file)
                || programs.read(file)
                || isBesideAProgram(Path.of(file))) {
            return Standing.SHOWN;
        }
        boolean isApplied = !named.leavesOut(file) && appliers.apply(file);
        if (isApplied) {
            return Standing.APPLIED;
        }
        // Whoever lists what is applied may look at the rest all the same; of a repository that only shows it, the rest
        // is left over; and of one that shows nothing, everything may be applied.
        boolean isLeft = ChartFolders.isLeftOut(file)
                || appliers.leaveOut(file)
                || (!named.leavesOut(file) && appliers.applyOthers(file));
        return isLeft ? Standing.SHOWN : Standing.KEPT;
    }

    /// Whether the answer to an exercise lies beside it.
    private static boolean hasASolution(Path file) {
        return Files.isDirectory(file.resolveSibling("solution"))
                || Files.isDirectory(file.resolveSibling("solutions"));
    }

    /// Whether it is one of the manifests beside a program in Go, which applies them without being strict.
    private static boolean isBesideAProgram(Path file) {
        return Stream.iterate(file.getParent(), each -> each != null, Path::getParent)
                .anyMatch(folder -> folder.endsWith("manifests") && Files.exists(folder.resolveSibling("main.go")));
    }
}
