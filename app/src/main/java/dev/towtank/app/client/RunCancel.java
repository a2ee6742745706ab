package dev.towtank.app.client;

import dev.towtank.model.Json;

/// Asks for the end of a run.
public final class RunCancel {

    /// What becomes of the tasks that run and of those in `finally`.
    public enum Way {
        /// All that runs is stopped, and nothing else begins.
        CANCEL("Cancelled"),
        /// All that runs is stopped; the tasks in `finally` still run.
        CANCEL_THEN_FINALLY("CancelledRunFinally"),
        /// What runs may end, and the tasks in `finally` run.
        STOP("StoppedRunFinally");

        private final String wire;

        Way(String wire) {
            this.wire = wire;
        }
    }

    private final ApiClient client;
    private final String namespace;

    public RunCancel(ApiClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /// @param wait until it has ended
    /// @return what to tell the user
    public String cancel(String word, Way way, boolean wait) {
        var run = new RunLookup(client, namespace).run(word);
        if (RunLookup.isDone(run.object())) {
            throw new ClientProblem(run.title() + " has ended already: "
                    + RunLookup.condition(run.object()).string("reason") + ".");
        }
        if (!run.isPipelineRun() && way != Way.CANCEL) {
            throw new ClientProblem(run.title() + " has no finally tasks: cancel it without that option.");
        }
        var status = run.isPipelineRun() ? way.wire : "TaskRunCancelled";
        var patch = Json.Obj.of("spec", Json.Obj.of("status", Json.of(status)));
        client.mergePatch(run.type().path(namespace, run.name()), patch);
        if (!wait) {
            return run.title() + " is being " + (way == Way.STOP ? "stopped." : "cancelled.");
        }
        return new Watching(client)
                .await(run.type(), namespace, run.name(), RunLookup::isDone)
                .map(end ->
                        run.title() + " has ended: " + RunLookup.condition(end).string("reason") + ".")
                .orElse(run.title() + " was deleted.");
    }
}
