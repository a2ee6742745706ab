package dev.towtank.node.sandbox;

import java.time.Instant;
import java.util.OptionalInt;

/// How a container's run ended.
public sealed interface Exit {

    /// As a container's status shows it.
    int code();

    Instant at();

    /// It ran to an end of its own or of somebody else's making.
    ///
    /// @param signal the one that the code stands for when it is above 128, be it that a program chose such a
    ///     code
    record Ended(int code, OptionalInt signal, boolean outOfMemory, Instant at) implements Exit {}

    /// The command could not be started at all.
    ///
    /// @param reason for the container's status: `StartError`, or `ContainerCannotRun`
    /// @param shellCode what a shell would say: 127 not found, 126 not to be executed
    /// @param problem the reason in short, like `exec: "x": executable file not found in $PATH`
    record NotStarted(String reason, int shellCode, String problem, Instant at) implements Exit {
        @Override
        public int code() {
            return 128;
        }

        /// For the container's status: in the words of containerd and runc, unless it was another engine.
        public String message() {
            if (!reason.equals("StartError")) {
                return problem;
            }
            return "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc"
                    + " create failed: unable to start container process: error during container init: " + problem
                    + ": unknown";
        }
    }

    /// It was running, is gone, and nobody knows how it ended: the machine was restarted, or somebody killed
    /// the sandbox around it.
    record Lost(String reason, Instant at) implements Exit {
        @Override
        public int code() {
            return 255;
        }
    }
}
