package dev.towtank.cluster.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Backoff;
import dev.towtank.cluster.testing.FakeTimers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkQueueTest {

    private final FakeTimers timers = new FakeTimers();
    private final WorkQueue<String> queue =
            new WorkQueue<>(timers, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10)));

    @Test
    void handsOutKeysInTheirOrderAndEachOnce() {
        queue.add("a");
        queue.add("b");
        queue.add("a");

        assertThat(queue.size()).isEqualTo(2);
        assertThat(queue.poll()).contains("a");
        assertThat(queue.poll()).contains("b");
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void handsOutWhatCanWaitWhenNobodyElseDoes() {
        queue.addLater("patient");
        queue.addLater("promoted");
        queue.poll(); // the first turn is theirs
        queue.done("patient");
        queue.addLater("patient");
        queue.add("a");
        queue.add("promoted");
        queue.add("b");

        assertThat(queue.size()).isEqualTo(4);
        assertThat(queue.poll()).contains("a");
        assertThat(queue.poll()).contains("promoted");
        assertThat(queue.poll()).contains("b");
        assertThat(queue.poll()).contains("patient");
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void holdsBackAKeyThatCanWaitWhileSomebodyWorksOnIt() {
        queue.add("a");
        queue.poll();
        queue.addLater("a");
        assertThat(queue.poll()).isEmpty();
        queue.add("b");
        queue.done("a");

        assertThat(queue.poll()).contains("b");
        assertThat(queue.poll()).contains("a");
        queue.addLater("a");
        queue.add("a");
        queue.done("a");
        queue.add("c");
        assertThat(queue.poll()).contains("a");
        assertThat(queue.poll()).contains("c");
        queue.done("a");
        queue.done("b");
        queue.done("c");
        assertThat(queue.isIdle()).isTrue();
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void letsNobodyWaitForEver() {
        queue.addLater("patient");
        queue.poll();
        queue.done("patient");
        queue.addLater("patient");
        for (int i = 0; i < 100; i++) {
            queue.add("busy " + i);
        }

        var before = new ArrayList<String>();
        for (var key = queue.poll().orElseThrow();
                !key.equals("patient");
                key = queue.poll().orElseThrow()) {
            before.add(key);
        }
        assertThat(before).hasSizeLessThan(20);
    }

    @Test
    void holdsBackAKeyThatSomebodyWorksOn() {
        queue.add("a");
        queue.poll();
        queue.add("a");

        assertThat(queue.poll()).isEmpty();
        queue.done("a");
        assertThat(queue.poll()).contains("a");
        queue.done("a");
        assertThat(queue.poll()).isEmpty();
        assertThat(queue.isIdle()).isTrue();
    }

    @Test
    void addsAKeyAtItsMoment() {
        queue.addAt("a", timers.instant().plusSeconds(5));

        timers.advance(Duration.ofMillis(4999));
        assertThat(queue.poll()).isEmpty();
        timers.advance(Duration.ofMillis(1));
        assertThat(queue.poll()).contains("a");
    }

    @Test
    void keepsTheEarliestOfSeveralMoments() throws InterruptedException {
        queue.addAt("a", timers.instant().plusSeconds(5));
        queue.addAt("a", timers.instant().plusSeconds(3));
        queue.addAt("a", timers.instant().plusSeconds(9));

        timers.awaitWaiting(1);
        timers.advance(Duration.ofSeconds(3));
        assertThat(queue.poll()).contains("a");
        timers.awaitWaiting(0);
    }

    @Test
    void waitsLongerAfterEachFailure() {
        assertThat(queue.retry("a", Duration.ZERO)).isEqualTo(1);
        assertThat(timers.next()).contains(timers.instant().plusSeconds(1));
        timers.advance(Duration.ofSeconds(1));

        assertThat(queue.retry("a", Duration.ZERO)).isEqualTo(2);
        assertThat(timers.next()).contains(timers.instant().plusSeconds(2));
        timers.advance(Duration.ofSeconds(2));

        queue.forget("a");
        assertThat(queue.retry("a", Duration.ZERO)).isEqualTo(1);
        assertThat(timers.next()).contains(timers.instant().plusSeconds(1));
    }

    @Test
    void remembersNothingOfWhatIsGone() throws InterruptedException {
        queue.retry("a", Duration.ZERO);
        queue.addAt("b", timers.instant().plusSeconds(5));

        queue.drop("a");
        queue.drop("b");

        timers.awaitWaiting(0);
        assertThat(queue.retry("a", Duration.ZERO)).isEqualTo(1);
    }

    @Test
    void waitsAtLeastAsLongAsTheServerAsked() {
        queue.retry("a", Duration.ofSeconds(7));

        assertThat(timers.next()).contains(timers.instant().plusSeconds(7));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "3,4", "4,8", "5,10", "6,10", "1000000,10"})
    void doublesUpToALimit(int failures, int seconds) {
        var backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

        assertThat(backoff.after(failures)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void refusesABackoffThatNeverWaits() {
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, Duration.ofSeconds(1)))
                .hasMessage("not a backoff: PT0S up to PT1S");
    }

    @Test
    void letsWaitingWorkersGoWhenClosed() throws InterruptedException {
        var got = new ArrayList<Optional<String>>();
        var worker = Thread.ofVirtual().start(() -> {
            try {
                got.add(queue.take());
            } catch (InterruptedException e) {
                got.add(Optional.of("interrupted"));
            }
        });
        queue.addAt("later", timers.instant().plusSeconds(5));

        queue.close();
        worker.join();

        assertThat(got).containsExactly(Optional.empty());
        timers.awaitWaiting(0);
        queue.add("a");
        queue.addAt("a", timers.instant());
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void waitsUntilIdle() throws InterruptedException {
        queue.add("a");
        queue.poll();
        var idle = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> {
            try {
                queue.awaitIdle();
                idle.countDown();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });

        queue.add("a");
        queue.done("a");
        assertThat(queue.poll()).contains("a");
        assertThat(idle.getCount()).isEqualTo(1);
        queue.done("a");
        idle.await();
    }

    /// Every add is followed by a look that began after it, and no key is looked at twice at once.
    @Test
    void losesNoWakeUpUnderManyThreads() throws InterruptedException {
        int keys = 7;
        int adders = 4;
        int rounds = 2_000;
        var added = new AtomicIntegerArray(keys);
        var seen = new AtomicIntegerArray(keys);
        var working = ConcurrentHashMap.<Integer>newKeySet();
        var clashes = new AtomicInteger();
        var numbers = new WorkQueue<Integer>(timers, Backoff.OF_KEYS);

        var workers = new ArrayList<Thread>();
        for (int i = 0; i < 3; i++) {
            workers.add(Thread.ofVirtual().start(() -> {
                try {
                    for (var key = numbers.take(); key.isPresent(); key = numbers.take()) {
                        if (!working.add(key.get())) {
                            clashes.incrementAndGet();
                        }
                        seen.set(key.get(), added.get(key.get()));
                        working.remove(key.get());
                        numbers.done(key.get());
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < adders; i++) {
            int offset = i;
            threads.add(Thread.ofVirtual().start(() -> {
                for (int round = 0; round < rounds; round++) {
                    int key = (round + offset) % keys;
                    added.incrementAndGet(key);
                    numbers.add(key);
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }
        numbers.awaitIdle();

        assertThat(seen.toString()).isEqualTo(added.toString());
        assertThat(clashes).hasValue(0);
        numbers.close();
        for (var worker : workers) {
            worker.join();
        }
    }
}
