package dev.towtank.app.shell;

import dev.towtank.app.engine.Engine;
import dev.towtank.app.engine.StopSignal;
import dev.towtank.app.run.Stopping;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// What the commands get from outside, so that tests can give them something else.
///
/// @param environment the environment variables
/// @param launcher the command line that starts this program, without arguments
/// @param stop when a server that runs in the foreground must end
/// @param signals what ends a run
public record Surroundings(
        Map<String, String> environment,
        PrintStream out,
        PrintStream err,
        List<String> launcher,
        InstantSource clock,
        StopSignal stop,
        Stopping signals,
        Engine.Starter engine) {

    public Surroundings {
        environment = Map.copyOf(environment);
        launcher = List.copyOf(launcher);
    }

    /// What a user types to start this program.
    public String programName() {
        return programName(environment);
    }

    public static String programName(Map<String, String> environment) {
        return environment.getOrDefault("TOWTANK_NAME", "./towtank");
    }

    /// A message whose commands can be typed as they are: those who write messages know the program as `towtank`.
    public String typeable(String message) {
        return typeable(message, programName());
    }

    static String typeable(String message, String programName) {
        return message.replace("'towtank ", "'" + programName + " ");
    }

    /// Where text goes that may hold any character, whatever the locale says.
    public PrintStream text() {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }
}
