package dev.towtank.controllers.pipelines.graph;

import java.util.Optional;

/// How many tasks of a run stand where; what the messages about it are made of.
///
/// @param failed those that count against the run; tasks cancelled for a timeout are among them
/// @param ignored failed, and the run goes on
/// @param timedOut those of the skipped for which there was no time left
/// @param invalid those that refer to results which a task that ran did not emit
public record Counts(
        int succeeded, int failed, int ignored, int cancelled, int skipped, int timedOut, int invalid, int incomplete) {

    public int completed() {
        return succeeded + failed + ignored + cancelled;
    }

    /// Of a run that is over.
    public String finalMessage() {
        var failures = ignored > 0
                ? "Failed: %d (Ignored: %d)".formatted(failed + ignored, ignored)
                : "Failed: %d".formatted(failed);
        return "Tasks Completed: %d (%s, Cancelled %d), Skipped: %d"
                .formatted(completed(), failures, cancelled, skipped);
    }

    /// Of a run that goes on.
    public String runningMessage() {
        return "Tasks Completed: %d (Failed: %d, Cancelled %d), Incomplete: %d, Skipped: %d"
                .formatted(completed(), failed, cancelled, incomplete, skipped);
    }

    static final class Builder {
        private int succeeded;
        private int failed;
        private int ignored;
        private int cancelled;
        private int skipped;
        private int timedOut;
        private int invalid;
        private int incomplete;

        Builder() {}

        Builder(Counts from) {
            succeeded = from.succeeded;
            failed = from.failed;
            ignored = from.ignored;
            cancelled = from.cancelled;
            skipped = from.skipped;
            timedOut = from.timedOut;
            invalid = from.invalid;
            incomplete = from.incomplete;
        }

        void add(RunState run, boolean ignoresFailure, boolean isInvalid, Optional<SkipReason> skip) {
            switch (run) {
                case SUCCEEDED -> succeeded++;
                case TIMED_OUT -> failed++;
                case CANCELLED -> cancelled++;
                case FAILED -> {
                    if (ignoresFailure) {
                        ignored++;
                    } else {
                        failed++;
                    }
                }
                case RUNNING -> incomplete++;
                case NONE -> addUnstarted(isInvalid, skip);
            }
        }

        private void addUnstarted(boolean isInvalid, Optional<SkipReason> skip) {
            if (isInvalid) {
                invalid++;
            } else if (skip.isPresent()) {
                skipped++;
                timedOut += skip.get().isTimeout() ? 1 : 0;
            } else {
                incomplete++;
            }
        }

        Counts build() {
            return new Counts(succeeded, failed, ignored, cancelled, skipped, timedOut, invalid, incomplete);
        }
    }
}
