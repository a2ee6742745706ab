package dev.towtank.controllers.pipelines.taskruns;

/// The images of Tekton's own containers. Our node runs what they do itself; a cluster needs them.
public record TektonImages(String entrypoint, String nop, String shell, String workingDirectory, String results) {

    public static final TektonImages OWN = new TektonImages(
            "tekton-entrypoint", "tekton-nop", "tekton-shell", "tekton-workingdirinit", "tekton-sidecarlogresults");
}
