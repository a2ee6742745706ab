package dev.towtank.app.run;

import dev.towtank.app.run.view.RunState.Phase;

/// What a run ends the process with.
public final class ExitCodes {

    public static final int SUCCEEDED = 0;
    public static final int FAILED = 1;
    public static final int BAD_INPUT = 2;
    public static final int CANCELLED = 3;
    public static final int TIMED_OUT = 4;

    private ExitCodes() {}

    static int of(Phase phase) {
        return switch (phase) {
            case SUCCEEDED -> SUCCEEDED;
            case CANCELLED -> CANCELLED;
            case TIMED_OUT -> TIMED_OUT;
            case FAILED, IGNORED, SKIPPED, WAITING, RUNNING -> FAILED;
        };
    }
}
