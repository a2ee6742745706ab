package dev.towtank.node.sandbox;

import java.util.List;
import java.util.Map;

/// One more process for a running container, with the container's own environment.
///
/// @param environment the same that the container was started with: it is on no disk, so it is given again
public record ExecSpec(
        List<String> arguments, Map<String, String> environment, String workingDirectory, boolean stdin, boolean tty) {
    public ExecSpec {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    @Override
    public String toString() {
        return "ExecSpec" + arguments; // an environment may hold secrets
    }
}
