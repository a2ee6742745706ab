package dev.towtank.app.run.view;

/// A line that a step or a sidecar has written.
///
/// @param task with the combination of a matrix, as people see it
/// @param run the name of the TaskRun
/// @param pod tells one attempt from another
/// @param step its name; of a sidecar, that of its container, which begins with `sidecar-`
public record LogLine(String task, String run, String pod, String step, String text) {

    boolean isOfSidecar() {
        return step.startsWith("sidecar-");
    }
}
