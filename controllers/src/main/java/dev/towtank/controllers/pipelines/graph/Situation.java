package dev.towtank.controllers.pipelines.graph;

/// What holds for a run as a whole, besides what happened to its tasks.
public record Situation(
        boolean gracefullyCancelled,
        boolean gracefullyStopped,
        boolean pipelineTimedOut,
        boolean tasksTimedOut,
        boolean finallyTimedOut) {

    public static final Situation NORMAL = new Situation(false, false, false, false, false);
}
