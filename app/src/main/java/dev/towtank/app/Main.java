package dev.towtank.app;

import dev.towtank.app.run.Signals;
import java.time.InstantSource;
import java.util.List;

/// Where the process starts.
public final class Main {
    private Main() {}

    static void main(String[] args) {
        var head = HeadStart.of(args);
        var stop = new StopSignal.OfProcess();
        var launcher = System.getenv().getOrDefault("TOWTANK_LAUNCHER", "./towtank");
        var surroundings = new Surroundings(
                System.getenv(),
                System.out,
                System.err,
                List.of(launcher),
                InstantSource.system(),
                stop,
                new Signals(),
                new EmbeddedEngine(head));
        int code = Program.run(surroundings, args);
        stop.finish();
        System.exit(code);
    }
}
