package dev.towtank.node.sandbox;

import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.ProcessTree;
import dev.towtank.node.linux.Processes;
import java.io.IOException;

/// Other bounds for a container that runs.
final class Resizing {

    private Resizing() {}

    /// @param first one of its processes, that all others descend from
    static void resize(ContainerProcess.Workshop workshop, String id, int first, ContainerSpec.Limits limits)
            throws IOException {
        if (workshop.jail().limits()) {
            throw new IOException("a container of an engine keeps the limits that it was started with; with"
                    + " resizePolicy RestartContainer it is started anew");
        }
        if (!workshop.cgroups().none()) {
            workshop.cgroups().rebound(id, limits, ProcessSandbox.MOST_PROCESSES);
        } else if (limits.memoryBytes().isPresent()) {
            boundEach(first, limits.memoryBytes().getAsLong());
        }
    }

    /// Without a group, every process has a bound of its own.
    private static void boundEach(int first, long bytes) throws IOException {
        for (int process : ProcessTree.members(first)) {
            try {
                Processes.limit(process, Processes.LIMIT_DATA, bytes);
            } catch (LinuxException e) {
                if (e.is(LinuxException.EPERM)) {
                    throw new IOException(
                            "only root may raise a bound that processes have; with resizePolicy"
                                    + " RestartContainer the container is started anew",
                            e);
                }
                if (!e.is(LinuxException.ESRCH)) {
                    throw e;
                }
            }
        }
    }
}
