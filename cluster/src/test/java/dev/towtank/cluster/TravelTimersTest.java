package dev.towtank.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TravelTimersTest {

    private final TravelTimers time = new TravelTimers(new SystemTimers(), Duration.ofDays(1));

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void isAheadOfTheMachine() {
        assertThat(time.instant()).isAfter(new SystemTimers().instant().plus(Duration.ofHours(23)));
    }

    @Test
    void whatIsDueMeanwhileHappensAtOnce() throws InterruptedException {
        var happened = new CountDownLatch(1);
        var later = new AtomicInteger();
        time.after(Duration.ofDays(6), happened::countDown);
        time.after(Duration.ofDays(9), later::incrementAndGet);

        time.advance(Duration.ofDays(7));

        happened.await();
        assertThat(later).hasValue(0);
    }

    @Test
    void aCancelledTimerStaysSilent() throws InterruptedException {
        var silent = new AtomicInteger();
        var loud = new CountDownLatch(1);
        time.after(Duration.ofDays(1), silent::incrementAndGet).cancel();
        time.after(Duration.ofDays(2), loud::countDown);

        time.advance(Duration.ofDays(3));

        loud.await();
        assertThat(silent).hasValue(0);
    }

    @Test
    void happensOnce() throws InterruptedException {
        var count = new AtomicInteger();
        time.after(Duration.ofHours(1), count::incrementAndGet);
        time.advance(Duration.ofHours(2));
        var afterwards = new CountDownLatch(1);
        time.after(Duration.ofHours(1), afterwards::countDown);
        time.advance(Duration.ofHours(2));

        afterwards.await();
        assertThat(count).hasValue(1);
    }

    @Test
    void thereIsNoWayBack() {
        assertThatThrownBy(() -> time.advance(Duration.ofSeconds(-1))).hasMessageContaining("forward only");
    }
}
