package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.node.pods.ContainerFacts.Unhealthy;
import dev.towtank.node.probes.Probe;
import dev.towtank.node.probes.Probe.Purpose;
import dev.towtank.node.probes.ProbeLoop;
import dev.towtank.node.probes.ProbeOutcome;
import java.time.Instant;

/// Lets the probes of a container run, and notes what they find.
final class ContainerProbes {

    private final NodeParts parts;
    private final PodMemory memory;

    ContainerProbes(NodeParts parts, PodMemory memory) {
        this.parts = parts;
        this.memory = memory;
    }

    /// A new instance: not started before its startup probe says so, not ready before its readiness probe does.
    void begin(ContainerRun run, Json.Obj container, Instant startedAt) {
        boolean waits = Probe.has(container, Purpose.STARTUP);
        boolean ready = !Probe.has(container, Purpose.READINESS);
        memory.change(
                run, facts -> facts.isRunning() ? facts.withStarted(!waits).withReady(ready) : facts);
        Probe.allOf(container).forEach(probe -> watch(run, probe, startedAt));
    }

    /// An instance of an earlier server keeps what was found then.
    void resume(ContainerRun run, Json.Obj container, Instant startedAt, boolean started) {
        if (!started && !Probe.has(container, Purpose.STARTUP)) {
            begin(run, container, startedAt);
            return;
        }
        Probe.allOf(container).stream()
                .filter(probe -> !started || probe.purpose() != Purpose.STARTUP)
                .forEach(probe -> watch(run, probe, startedAt));
    }

    private void watch(ContainerRun run, Probe probe, Instant startedAt) {
        boolean startup = probe.purpose() == Purpose.STARTUP;
        run.watch(new ProbeLoop(
                probe,
                startedAt,
                parts.timers(),
                run::check,
                () -> startup || memory.facts().of(run.name()).started(),
                new Notes(run)));
    }

    private final class Notes implements ProbeLoop.Listener {
        private final ContainerRun run;

        Notes(ContainerRun run) {
            this.run = run;
        }

        @Override
        public void failed(Probe probe, ProbeOutcome outcome) {
            parts.events()
                    .warning(
                            memory.pod(),
                            ContainerStopper.part(memory, run.name()),
                            "Unhealthy",
                            outcome.message(probe.purpose()));
        }

        @Override
        public boolean verdict(Probe probe, boolean success) {
            return switch (probe.purpose()) {
                case STARTUP -> {
                    memory.change(run, facts -> success ? facts.withStarted(true) : facts.unhealthy(Unhealthy.STARTUP));
                    yield false;
                }
                case READINESS -> {
                    memory.change(run, facts -> facts.withReady(success));
                    yield true;
                }
                case LIVENESS -> {
                    if (!success) {
                        memory.change(run, facts -> facts.unhealthy(Unhealthy.LIVENESS));
                    }
                    yield success;
                }
            };
        }
    }
}
