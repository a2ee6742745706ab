package dev.towtank.node.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.pods.Usage;
import dev.towtank.node.linux.ProcessTree;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class UsageMeterTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private final UsageMeter meter = new UsageMeter(now::get);

    private Usage after(int seconds, long ticks) {
        now.set(START.plusSeconds(seconds));
        return meter.measured("a", START, new ProcessTree(ticks, 4096));
    }

    @Test
    void measuresFromTheBeginningAndThenFromTheLastQuestion() {
        // Two seconds on a processor in ten, then all of the next ten.
        assertThat(after(10, 200))
                .isEqualTo(new Usage(START.plusSeconds(10), Duration.ofSeconds(10), 200_000_000, 4096));
        assertThat(after(20, 1200))
                .isEqualTo(new Usage(START.plusSeconds(20), Duration.ofSeconds(10), 1_000_000_000, 4096));
    }

    @Test
    void whoAsksTooSoonGetsTheSameAnswer() {
        var first = after(10, 200);

        assertThat(after(11, 300)).isEqualTo(first);
        assertThat(after(15, 700).nanoCores()).isEqualTo(1_000_000_000);
    }

    @Test
    void neverUsesLessThanNothing() {
        after(10, 200);

        assertThat(after(20, 100).nanoCores()).isZero();
    }

    @Test
    void thisProcessAndTheMachineUseSomething() {
        var own = ProcessTree.of((int) ProcessHandle.current().pid()).orElseThrow();

        assertThat(own.ticks()).isPositive();
        assertThat(own.memoryBytes()).isGreaterThan(1 << 20);
        assertThat(meter.ofMachine()).isPresent();
        assertThat(ProcessTree.of(Integer.MAX_VALUE)).isEmpty();
    }
}
