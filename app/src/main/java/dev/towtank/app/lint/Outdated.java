package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.settings.Target.Release;
import dev.towtank.app.lint.source.OlderTekton;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Versions of APIs that are gone, as the other files see them: whoever has only old ones has an old cluster, and
/// whoever has the new one as well has a file for each. Among new ones an old one was forgotten, and beside an object
/// that only newer releases take, no server of theirs can take it.
final class Outdated {

    private static final String TEKTON = "tekton.dev";
    private static final String NEW_TEKTON = "tekton.dev/v1";

    /// Kinds that got their lasting version shortly before the others went: clusters with many of the new ones are not
    /// likely to take old ones.
    private static final Set<String> LATE = Set.of("Ingress", "CronJob", "PodDisruptionBudget", "EndpointSlice");

    /// Whoever has more old files than that keeps them for an old cluster, whatever else is in the repository.
    private static final int FEW = 3;

    private Outdated() {}

    static Finding judged(Finding finding, Observations all) {
        if (finding.rule() == Rule.REFUSED) {
            boolean isOld = OlderTekton.isAbout(finding) && !all.served.contains(NEW_TEKTON);
            return isOld ? finding.at(Level.INFO) : finding;
        }
        var object = all.unserved.get(finding.place());
        if (object == null) {
            return finding;
        }
        if (all.served.contains(object.kind() + " " + object.name())) {
            return finding.at(Level.INFO);
        }
        return object.end().map(end -> ofKubernetes(finding, object, end, all)).orElseGet(() -> {
            var successor = object.group().equals(TEKTON) ? NEW_TEKTON : object.group() + "/" + object.kind();
            boolean isOfAnOldCluster = finding.level() == Level.WARNING && !all.served.contains(successor);
            return isOfAnOldCluster ? finding.at(Level.INFO) : finding;
        });
    }

    private static Finding ofKubernetes(Finding finding, Unserved object, Release end, Observations all) {
        if (finding.level() == Level.INFO) {
            return finding;
        }
        var folder = folder(finding.place().file());
        var newer = all.oldest.entrySet().stream()
                .filter(each -> each.getValue().compareTo(end) >= 0)
                .map(Map.Entry::getKey)
                .toList();
        if (newer.stream().anyMatch(each -> belongTogether(each, folder))) {
            return finding;
        }
        if (!newer.isEmpty() && files(end, all) <= FEW) {
            return finding.at(Level.WARNING);
        }
        long old = all.unserved.values().stream()
                .filter(each -> each.kind().equals(object.kind()))
                .count();
        boolean isForgotten = LATE.contains(object.kind()) && all.kinds.getOrDefault(object.kind(), 0) > old;
        return finding.at(isForgotten ? Level.WARNING : Level.INFO);
    }

    static Path folder(String file) {
        var folder = Path.of(file).toAbsolutePath().normalize().getParent();
        return folder == null ? Path.of("/") : folder;
    }

    /// Whether what is in two folders is for one cluster, and not only in one repository.
    private static boolean belongTogether(Path newer, Path old) {
        var around = old.getParent();
        return newer.startsWith(old)
                || old.startsWith(newer)
                || (around != null && newer.startsWith(around) && !Files.exists(around.resolve(".git")));
    }

    /// In how many files there is something that went then or before.
    private static long files(Release end, Observations all) {
        return all.unserved.entrySet().stream()
                .filter(each -> each.getValue()
                        .end()
                        .filter(other -> other.compareTo(end) <= 0)
                        .isPresent())
                .map(each -> each.getKey().file())
                .distinct()
                .count();
    }

    /// An object whose version no server has, or has any more.
    ///
    /// @param end the release of Kubernetes that came without it, where nobody says which the files are for
    record Unserved(String group, String kind, String name, Optional<Release> end) {}
}
