package dev.towtank.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.testing.FakeTimers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutsideTest {

    private static final ObjectName ASKER = ObjectName.of("n", "a");
    private static final ObjectName OTHER = ObjectName.of("n", "b");

    private final FakeTimers timers = new FakeTimers();
    private final BlockingQueue<ObjectName> woken = new LinkedBlockingQueue<>();
    /// What the world answers next; a text that begins with "!" is a failure.
    private final BlockingQueue<String> world = new SynchronousQueue<>();

    private final Outside<String, String> outside = new Outside<>(
            "world", this::read, new Outside.Limits(Duration.ofMinutes(10), 2, 3, Backoff.OF_SERVERS), timers);

    OutsideTest() {
        outside.subscribe(woken::add);
    }

    @AfterEach
    void close() {
        outside.close();
    }

    private String read(String question) throws IOException, InterruptedException {
        var answer = world.take();
        if (answer.startsWith("!")) {
            throw new IOException(answer.substring(1));
        }
        return question + "=" + answer;
    }

    private void answer(String text) throws InterruptedException {
        assertThat(world.offer(text, 10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void askingNeverWaitsAndTheAnswerWakesWhoeverAsked() throws InterruptedException {
        assertThat(outside.ask(ASKER, "q")).isEqualTo(new Answer.Pending<>());
        assertThat(outside.ask(OTHER, "q")).isEqualTo(new Answer.Pending<>());

        answer("1");

        var first = woken.take();
        assertThat(List.of(first, woken.take())).containsExactlyInAnyOrder(ASKER, OTHER);
        assertThat(outside.ask(ASKER, "q")).isEqualTo(new Answer.Known<>("q=1", timers.instant()));
    }

    @Test
    void nothingIsReadForWhoIsGone() throws InterruptedException {
        outside.ask(ASKER, "own");
        answer("1");
        woken.take();
        outside.ask(ASKER, "own");
        outside.ask(ASKER, "shared");
        answer("2");
        woken.take();
        outside.ask(ASKER, "shared");
        outside.ask(OTHER, "shared");

        outside.forget(ASKER);

        assertThat(outside.size()).isEqualTo(1);
        timers.advance(Duration.ofMinutes(10));
        answer("3");
        assertThat(woken.take()).isEqualTo(OTHER);
        assertThat(outside.ask(OTHER, "shared")).isEqualTo(new Answer.Known<>("shared=3", timers.instant()));
    }

    @Test
    void anAnswerIsReadAgainWhenItIsNoLongerFreshAndWakesOnlyWhenItDiffers() throws InterruptedException {
        outside.ask(ASKER, "q");
        answer("1");
        woken.take();
        outside.ask(ASKER, "q");

        timers.advance(Duration.ofMinutes(10));
        answer("1");
        timers.awaitWaiting(1);
        assertThat(woken).isEmpty();
        timers.advance(Duration.ofMinutes(10));
        answer("2");

        assertThat(woken.take()).isEqualTo(ASKER);
        assertThat(outside.ask(ASKER, "q").newest()).contains("q=2");
    }

    @Test
    void whatNobodyAsksForAnyMoreIsForgotten() throws InterruptedException {
        outside.ask(ASKER, "q");
        answer("1");
        woken.take();
        timers.awaitWaiting(1);

        timers.advance(Duration.ofMinutes(10));

        assertThat(outside.size()).isZero();
    }

    @Test
    void aFailureIsToldOnceKeepsTheOldAnswerAndIsTriedAgainLaterEachTime() throws InterruptedException {
        outside.ask(ASKER, "q");
        answer("1");
        woken.take();
        outside.ask(ASKER, "q");
        outside.refresh("q");
        answer("!no route");
        woken.take();

        var failed = outside.ask(ASKER, "q");
        assertThat(failed).isInstanceOf(Answer.Failed.class);
        assertThat(failed.newest()).contains("q=1");
        var first = ((Answer.Failed<String>) failed);
        assertThat(first.problem()).isEqualTo("no route");
        assertThat(first.again()).isEqualTo(timers.instant().plusMillis(200));

        timers.awaitWaiting(1);
        timers.advance(Duration.ofMillis(200));
        answer("!no route");
        timers.awaitWaiting(1);
        assertThat(woken).isEmpty();
        timers.advance(Duration.ofMillis(400));
        answer("3");
        assertThat(woken.take()).isEqualTo(ASKER);
        assertThat(outside.ask(ASKER, "q").newest()).contains("q=3");
    }

    @Test
    void remembersOnlySoManyQuestions() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            outside.ask(ASKER, "q" + i);
        }

        assertThat(outside.size()).isEqualTo(3);
        answer("1");
        assertThat(woken.take()).isEqualTo(ASKER);
    }
}
