package dev.towtank.system;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How the launcher starts the program that was built: its options of Java, its class path, and the cache that makes
/// starts fast, which it is asked to make when there is none yet.
final class Shipped {

    private static final List<String> OPTIONS = options();

    private Shipped() {}

    /// The beginning of a command, to which the program's own arguments are added.
    ///
    /// @param options more options of Java
    static List<String> command(String... options) {
        var command = new ArrayList<>(List.of(ownJava(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(OPTIONS);
        command.addAll(List.of(options));
        command.add("dev.towtank.app.Main");
        return command;
    }

    static String ownJava() {
        return ProcessHandle.current().info().command().orElseThrow();
    }

    private static List<String> options() {
        var launcher = Checkout.ROOT.resolve("towtank").toString();
        var java = Map.of("TOWTANK_JAVA_HOME", System.getProperty("java.home"));
        var prepared = Program.run(List.of(launcher, "prepare"), "", java);
        if (prepared.exit() != 0) {
            throw new IllegalStateException(prepared.err());
        }
        return prepared.out().lines().toList();
    }
}
