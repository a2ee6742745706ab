package dev.towtank.node.sandbox;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// One more process for a running container, with the container's own environment.
///
/// @param environment the same that the container was started with: it is on no disk, so it is given again
/// @param rights those that the container was started with, see [ContainerSpec.Bounds]
public record ExecSpec(
        List<String> arguments,
        Map<String, String> environment,
        String workingDirectory,
        boolean stdin,
        boolean tty,
        Set<String> rights) {
    public ExecSpec {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        rights = Set.copyOf(rights);
    }

    public ExecSpec(
            List<String> arguments,
            Map<String, String> environment,
            String workingDirectory,
            boolean stdin,
            boolean tty) {
        this(arguments, environment, workingDirectory, stdin, tty, Set.of());
    }

    @Override
    public String toString() {
        return "ExecSpec" + arguments; // an environment may hold secrets
    }
}
