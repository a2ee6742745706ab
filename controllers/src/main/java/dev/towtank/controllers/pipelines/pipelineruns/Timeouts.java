package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.api.PipelineRunSpec;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/// How long a run and its parts may take; no limit where there is none or it is zero.
record Timeouts(Duration pipeline, Optional<Duration> tasks, Optional<Duration> finals) {

    static Timeouts of(PipelineRun run, Settings settings) {
        var given = run.spec().timeouts();
        var pipeline = given.flatMap(PipelineRunSpec.Timeouts::pipelineLimit);
        var tasks = given.flatMap(PipelineRunSpec.Timeouts::tasksLimit);
        var finals = given.flatMap(PipelineRunSpec.Timeouts::finallyLimit);
        return new Timeouts(
                pipeline.orElseGet(settings::timeout),
                tasks.or(() -> difference(pipeline, finals)),
                finals.or(() -> difference(pipeline, tasks)));
    }

    private static Optional<Duration> difference(Optional<Duration> whole, Optional<Duration> part) {
        return whole.filter(limit -> !limit.isZero())
                .flatMap(limit -> part.filter(used -> !used.isZero()).map(limit::minus));
    }

    Optional<Instant> pipelineEnd(RunStatus status) {
        return end(status, "startTime", Optional.of(pipeline));
    }

    Optional<Instant> tasksEnd(RunStatus status) {
        return end(status, "startTime", tasks);
    }

    Optional<Instant> finallyEnd(RunStatus status) {
        return end(status, "finallyStartTime", finals);
    }

    private static Optional<Instant> end(RunStatus status, String start, Optional<Duration> limit) {
        return limit.filter(time -> !time.isZero()).flatMap(time -> status.end(start, time));
    }

    static boolean isOver(Optional<Instant> end, Instant now) {
        return end.filter(moment -> !now.isBefore(moment)).isPresent();
    }

    /// The next moment at which something is to be ended.
    Optional<Instant> next(RunStatus status, Instant now) {
        return Stream.of(pipelineEnd(status), tasksEnd(status), finallyEnd(status))
                .flatMap(Optional::stream)
                .filter(now::isBefore)
                .min(Instant::compareTo);
    }

    /// The limit for the run of one task that has none itself: one that is longer than usual must be said.
    Optional<Duration> forTask(boolean isFinally, Settings settings) {
        return (isFinally ? finals : tasks).filter(limit -> limit.isZero() || limit.compareTo(settings.timeout()) > 0);
    }
}
