package dev.towtank.app.lint.source;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;

/// What Tekton took before it had a release 1.0: which release a cluster has is in no file.
public final class OlderTekton {

    private OlderTekton() {}

    /// Whether that is what it is about, at the level that it has then.
    public static boolean isAbout(Finding finding) {
        return finding.level() == Level.WARNING
                && (finding.message().contains("taskRef.apiVersion: ")
                        || finding.message().matches("[\\w.\\[\\]]*(resources|\\.bundle): must not set.*"));
    }

    /// Whether older releases took what is complained of: ClusterTasks, PipelineResources and bundles.
    public static boolean took(Document document, Places found, String path, String message) {
        boolean isOfAClusterTask = path.endsWith("taskRef.apiVersion")
                && found.value().text("kind").equals("ClusterTask");
        boolean isOfResources = document.apiVersion().equals("tekton.dev/v1beta1")
                && (path.endsWith("resources") || path.endsWith(".bundle"))
                && message.startsWith("must not set");
        return isOfAClusterTask || isOfResources;
    }
}
