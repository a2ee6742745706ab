package dev.towtank.apiserver.fuzz;

import java.util.LinkedHashMap;
import java.util.Map;

/// What went wrong in many trials, once for each place in the code.
final class Findings {

    private static final int MOST = 20;

    private final Map<String, AssertionError> found = new LinkedHashMap<>();

    /// @return whether enough has been seen
    boolean add(long seed, Throwable problem) {
        var trace = problem.getStackTrace();
        var place = problem.getClass().getName()
                + (problem instanceof AssertionError || trace.length == 0 ? "" : " at " + trace[0]);
        found.putIfAbsent(place, new AssertionError("seed " + seed + ": " + problem, problem));
        return found.size() >= MOST;
    }

    void report() {
        if (!found.isEmpty()) {
            var all = new AssertionError(found.size() + " findings: " + found.keySet());
            found.values().forEach(all::addSuppressed);
            throw all;
        }
    }
}
