package dev.towtank.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How the launcher starts the program that was built, with classes that a first run has written down: that takes a
/// third off every further start. The launcher's own cache would take longer to make than the tests gain by it.
final class Shipped {

    private static final List<String> OPTIONS = options();
    private static final Path CLASSES = writeClasses();

    private Shipped() {}

    /// The beginning of a command, to which the program's own arguments are added.
    ///
    /// @param options more options of Java
    static List<String> command(String... options) {
        var all = new ArrayList<>(List.of(options));
        all.addAll(List.of("-XX:SharedArchiveFile=" + CLASSES, "-Xlog:cds=off", "-Xlog:aot=off"));
        return start(all);
    }

    private static List<String> start(List<String> options) {
        var command = new ArrayList<>(List.of(ownJava(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(OPTIONS);
        command.addAll(options);
        command.add("dev.towtank.app.Main");
        return command;
    }

    static String ownJava() {
        return ProcessHandle.current().info().command().orElseThrow();
    }

    private static List<String> options() {
        var launcher = Checkout.ROOT.resolve("towtank").toString();
        var java = Map.of("TOWTANK_JAVA_HOME", System.getProperty("java.home"));
        return checked(Program.run(List.of(launcher, "java-options"), "", java))
                .out()
                .lines()
                .toList();
    }

    /// A run needs about all that servers and commands need.
    private static Path writeClasses() {
        try {
            var classes = Checkout.ROOT.resolve("system-tests/target/classes.jsa");
            var state = Files.createTempDirectory("towtank-first-run");
            var command = new ArrayList<>(
                    start(List.of("-XX:ArchiveClassesAtExit=" + classes, "-Xlog:cds=off", "-Xlog:aot=off")));
            command.addAll(
                    List.of("run", Checkout.ROOT.resolve("examples/hello").toString()));
            checked(Program.run(command, "", Map.of("XDG_STATE_HOME", state.toString())));
            RunningTowtank.deleteAll(state);
            return classes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Program.Outcome checked(Program.Outcome outcome) {
        if (outcome.exit() != 0) {
            throw new IllegalStateException(outcome.out() + outcome.err());
        }
        return outcome;
    }
}
