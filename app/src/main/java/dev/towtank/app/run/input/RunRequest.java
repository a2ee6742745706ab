package dev.towtank.app.run.input;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What the user wants to run, beside the files.
///
/// @param params as given, `name=value`
/// @param pipeline the name of a Pipeline to make a run of
/// @param task the name of a Task to make a run of
/// @param timeout after which the run is ended
/// @param looksBeside whether directories beside the files may be workspaces
public record RunRequest(
        List<String> params,
        List<WorkspaceChoice> workspaces,
        Optional<String> pipeline,
        Optional<String> task,
        Optional<Duration> timeout,
        boolean looksBeside) {

    public static final RunRequest PLAIN =
            new RunRequest(List.of(), List.of(), Optional.empty(), Optional.empty(), Optional.empty(), true);

    public RunRequest {
        params = List.copyOf(params);
        workspaces = List.copyOf(workspaces);
    }

    /// A directory for a workspace.
    ///
    /// @param writable the run works in the directory itself, not in a copy
    public record WorkspaceChoice(String name, Path directory, boolean writable) {

        /// @param text `name=DIR` or `name=DIR:rw`
        public static WorkspaceChoice parse(String text) {
            int equals = text.indexOf('=');
            if (equals <= 0 || equals == text.length() - 1) {
                throw new BadInput("--workspace " + text + ": expected name=DIR or name=DIR:rw");
            }
            var place = text.substring(equals + 1);
            boolean writable = place.endsWith(":rw");
            return new WorkspaceChoice(
                    text.substring(0, equals),
                    Path.of(writable ? place.substring(0, place.length() - 3) : place),
                    writable);
        }
    }
}
