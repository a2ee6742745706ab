package dev.towtank.app;

import dev.towtank.app.command.Program;
import dev.towtank.app.engine.EmbeddedEngine;
import dev.towtank.app.engine.HeadStart;
import dev.towtank.app.engine.StopSignal;
import dev.towtank.app.run.Signals;
import dev.towtank.app.shell.Explanation;
import dev.towtank.app.shell.Surroundings;
import java.time.InstantSource;
import java.util.List;

/// Where the process starts.
public final class Main {
    private Main() {}

    static void main(String[] args) {
        var debug = List.of(args).contains("--debug");
        var stop = new StopSignal.OfProcess();
        int code = 1;
        try {
            var name = Surroundings.programName(System.getenv());
            Thread.setDefaultUncaughtExceptionHandler(
                    (thread, e) -> new Explanation(System.err, name, debug).of(thread, e));
            code = Program.run(surroundings(stop, HeadStart.of(args)), args);
        } catch (Throwable e) { // what explains all others is itself not there
            System.err.println("towtank: the program is not complete: " + e
                    + ". Remove app/target, and the next call builds it again.");
            if (debug) {
                e.printStackTrace(System.err);
            }
        } finally {
            stop.finish();
            // Also where a thread is left that would keep the process.
            System.exit(code);
        }
    }

    private static Surroundings surroundings(StopSignal stop, HeadStart head) {
        var launcher = System.getenv().getOrDefault("TOWTANK_LAUNCHER", "./towtank");
        return new Surroundings(
                System.getenv(),
                System.out,
                System.err,
                List.of(launcher),
                InstantSource.system(),
                stop,
                new Signals(),
                new EmbeddedEngine(head));
    }
}
