package dev.towtank.app.run.view;

/// A line that a step has written.
///
/// @param task with the combination of a matrix, as people see it
/// @param run the name of the TaskRun
/// @param pod tells one attempt from another
public record LogLine(String task, String run, String pod, String step, String text) {}
