package dev.towtank.app.command;

import dev.towtank.app.engine.StopSignal;
import dev.towtank.app.run.Stopping;
import dev.towtank.app.shell.Surroundings;
import java.time.InstantSource;
import java.util.List;

/// The program with a fake engine, as a process of its own.
final class FakeMain {
    private FakeMain() {}

    static void main(String[] args) {
        var stop = new StopSignal.OfProcess();
        var surroundings = new Surroundings(
                Terminal.NO_RUNS,
                System.out,
                System.err,
                command(),
                InstantSource.system(),
                stop,
                Stopping.NEVER,
                FakeEngine::start);
        int code = Program.run(surroundings, args);
        stop.finish();
        System.exit(code);
    }

    static List<String> command() {
        return List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED", // as the launcher does
                "-cp",
                System.getProperty("java.class.path"),
                FakeMain.class.getName());
    }
}
