package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.OlderTekton;

/// Versions of APIs that are gone, as the other files see them: whoever has only old ones has an old cluster, and
/// whoever has the new one as well has a file for each. Among new ones an old one was forgotten.
final class Outdated {

    private static final String TEKTON = "tekton.dev";
    private static final String NEW_TEKTON = "tekton.dev/v1";

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
        boolean isForOthers = all.served.contains(object.kind() + " " + object.name());
        var successor = object.group().equals(TEKTON) ? NEW_TEKTON : object.group() + "/" + object.kind();
        boolean isOfAnOldCluster = finding.level() == Level.WARNING && !all.served.contains(successor);
        return isForOthers || isOfAnOldCluster ? finding.at(Level.INFO) : finding;
    }

    /// An object whose version no server has, or has any more.
    record Unserved(String group, String kind, String name) {}
}
