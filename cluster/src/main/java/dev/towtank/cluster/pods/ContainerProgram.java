package dev.towtank.cluster.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;

/// A program that the node runs inside itself in place of a container's command, though its work may be to start
/// that container's process. So a known entrypoint binary (Tekton's) needs no process and no polling of its own.
///
/// From outside the container looks like any other: it is running while the program runs, has a log, can be killed.
public interface ContainerProgram {

    /// Whether this program is what the container's command means.
    boolean runs(Resource pod, Json.Obj container);

    /// Whether it starts a process of the container's image. One that does all by itself needs no image.
    default boolean needsImage(Resource pod, Json.Obj container) {
        return true;
    }

    /// Runs to the container's end, on a thread of its own; its answer is the container's exit code.
    ///
    /// After a restart of the server it is called again for a container that was running: everything it does
    /// must be right when repeated. [RunningContainer#run] joins the process that an earlier call started.
    ///
    /// @throws InterruptedException the container must stop; it ends as if by SIGKILL
    int run(RunningContainer container) throws InterruptedException;
}
