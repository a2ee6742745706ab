package dev.towtank.app.lint;

import dev.towtank.app.lint.ClaimUses.Claim;
import dev.towtank.app.lint.ClaimUses.Use;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.SourceFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/// Claims that only the pods of one node can mount, with pods that a cluster may put on several: one of them then waits
/// for its volume, for as long as the other is there.
final class SharedClaims {

    private static final String ADVICE =
            "Ask for ReadWriteMany, where the storage has it, or say where the pods go" + " (affinity, nodeSelector).";

    private SharedClaims() {}

    /// What makes a claim the one that is meant. Other folders may be other places, where the same name is another
    /// claim.
    private record Key(String name, String folder, String namespace) {}

    static List<Finding> of(Observations seen) {
        var uses = new HashMap<Key, List<Use>>();
        for (var use : seen.claimUses) {
            uses.computeIfAbsent(new Key(use.claim(), use.folder(), use.namespace()), _ -> new ArrayList<>())
                    .add(use);
        }
        var found = new ArrayList<Finding>();
        for (var claim : seen.claims) {
            // Taken away, because the same claim may be written down many times.
            var mounting = uses.remove(new Key(claim.name(), claim.folder(), claim.namespace()));
            if (mounting != null) {
                mounting.stream()
                        .filter(use -> !use.pods().isEmpty() && !use.isPlaced())
                        .forEach(use -> found.add(several(use, claim)));
                found.addAll(besides(mounting, claim));
            }
        }
        return found;
    }

    private static Finding several(Use use, Claim claim) {
        return Finding.of(
                Rule.SHARED_CLAIM,
                use.place(),
                use.owner() + " has " + use.pods() + ", and only those on one node can mount claim \"" + claim.name()
                        + "\": it is " + claim.mode(),
                use.owner().startsWith("StatefulSet")
                        ? "Give each pod a claim of its own: volumeClaimTemplates."
                        : ADVICE);
    }

    /// Whoever comes beside somebody who stays. What comes and goes may do so one after the other.
    private static List<Finding> besides(List<Use> uses, Claim claim) {
        var found = new ArrayList<Finding>();
        var lasting = uses.stream().filter(Use::isLasting).findFirst();
        // A document may show the same thing in two ways.
        boolean isTold =
                uses.stream().anyMatch(use -> SourceFiles.isProse(use.place().file()));
        if (lasting.isEmpty() || isTold || uses.stream().anyMatch(Use::isPlaced)) {
            return found;
        }
        var known = new HashSet<String>();
        known.add(lasting.get().owner());
        for (var use : uses) {
            if (known.add(use.owner())) {
                found.add(Finding.of(
                        Rule.SHARED_CLAIM,
                        use.place(),
                        lasting.get().owner() + " has claim \"" + claim.name() + "\" as well, and it is " + claim.mode()
                                + ": on another node, the pods of " + use.owner() + " wait for it",
                        ADVICE));
            }
        }
        return found;
    }
}
