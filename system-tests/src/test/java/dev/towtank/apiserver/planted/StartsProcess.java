package dev.towtank.apiserver.planted;

import java.util.List;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
final class StartsProcess {
    private final ProcessBuilder started = new ProcessBuilder(List.of("true"));

    ProcessBuilder started() {
        return started;
    }
}
