package dev.towtank.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SystemTimersTest {

    @Test
    void runsActionsInTheOrderOfTheirMoments() throws InterruptedException {
        try (var timers = new SystemTimers()) {
            var ran = new LinkedBlockingQueue<String>();
            // Far enough ahead that a machine which is slow today still sets them before their moments.
            var start = timers.instant();
            timers.at(start.plusMillis(600), () -> ran.add("later"));
            timers.at(start.plusMillis(500), () -> ran.add("sooner"));
            timers.at(start.minusSeconds(5), () -> ran.add("past"));

            assertThat(ran.take()).isEqualTo("past");
            assertThat(ran.take()).isEqualTo("sooner");
            assertThat(ran.take()).isEqualTo("later");
        }
    }

    @Test
    void forgetsWhatIsCancelled() throws InterruptedException {
        try (var timers = new SystemTimers()) {
            var ran = new LinkedBlockingQueue<String>();
            timers.after(Duration.ofMillis(500), () -> ran.add("cancelled")).cancel();
            timers.after(Duration.ofMillis(501), () -> ran.add("kept"));

            assertThat(ran.take()).isEqualTo("kept");
        }
    }

    @Test
    void goesOnAfterAnActionFailed() throws InterruptedException {
        try (var timers = new SystemTimers()) {
            var ran = new CountDownLatch(1);
            timers.after(Duration.ZERO, () -> {
                throw new IllegalStateException("action");
            });
            timers.after(Duration.ofMillis(1), ran::countDown);

            ran.await();
        }
    }

    @Test
    void takesMomentsThatNeverCome() {
        try (var timers = new SystemTimers()) {
            timers.at(Instant.MAX, () -> {}).cancel();
        }
    }

    @Test
    void pauses() throws InterruptedException {
        try (var timers = new SystemTimers()) {
            var before = new CountDownLatch(1);
            timers.after(Duration.ofMillis(1), before::countDown);

            timers.pause(Duration.ofMillis(50));

            assertThat(before.getCount()).isZero();
        }
    }
}
