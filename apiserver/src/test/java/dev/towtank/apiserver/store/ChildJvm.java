package dev.towtank.apiserver.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Starts a class of the tests in a process of its own, which can be killed.
final class ChildJvm {

    private ChildJvm() {}

    static Process start(Class<?> main, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
