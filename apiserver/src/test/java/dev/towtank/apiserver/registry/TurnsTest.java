package dev.towtank.apiserver.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.store.Key;
import dev.towtank.model.GroupResource;
import dev.towtank.model.LogicalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private static final Key ONE = key("one");

    private static Key key(String name) {
        return new Key(new GroupResource("", "configmaps"), LogicalCluster.DEFAULT, "default", name);
    }

    @Test
    void nobodyChangesAnObjectBesideAnother() throws Exception {
        var turns = new Turns(Duration.ofMinutes(5));
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var tasks = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < 200; i++) {
            tasks.add(() -> turns.inTurn(ONE, () -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                Thread.onSpinWait();
                return inside.decrementAndGet();
            }));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var done : threads.invokeAll(tasks)) {
                done.get();
            }
        }
        assertThat(most).hasValue(1);
        assertThat(turns.size()).isZero();
    }

    @Test
    void othersChangeOtherObjectsMeanwhile() throws Exception {
        var turns = new Turns(Duration.ofMinutes(5));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var done = turns.inTurn(ONE, () -> threads.submit(() -> turns.inTurn(key("two"), () -> "two")));
            assertThat(done.get()).isEqualTo("two");
        }
        assertThat(turns.size()).isZero();
    }

    @Test
    void whoTakesLongIsNotWaitedForLong() throws Exception {
        var turns = new Turns(Duration.ofMillis(1));
        var inside = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var slow = threads.submit(() -> turns.inTurn(ONE, () -> {
                inside.countDown();
                await(over);
                return "slow";
            }));
            await(inside);

            assertThat(turns.inTurn(ONE, () -> "quick")).isEqualTo("quick");

            over.countDown();
            assertThat(slow.get()).isEqualTo("slow");
        }
        assertThat(turns.size()).isZero();
    }

    @Test
    void aFailureEndsATurn() {
        var turns = new Turns(Duration.ofMinutes(5));
        for (var message : List.of("first", "second")) {
            assertThatThrownBy(() -> turns.inTurn(ONE, () -> {
                        throw new IllegalStateException(message);
                    }))
                    .hasMessage(message);
        }
        assertThat(turns.size()).isZero();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
