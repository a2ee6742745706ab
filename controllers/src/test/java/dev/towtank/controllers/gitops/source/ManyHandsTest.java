package dev.towtank.controllers.gitops.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ManyHandsTest {

    @Test
    void severalWorkAtOnceAndAnswersComeInTheirOrder() throws Exception {
        var items = IntStream.range(0, 64).boxed().toList();
        var meeting = new CyclicBarrier(8);
        var answers = ManyHands.each(items, item -> {
            try {
                meeting.await(60, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IOException("nobody else came", e);
            }
            return item * 2;
        });
        assertThat(answers).isEqualTo(items.stream().map(item -> item * 2).toList());
    }

    @Test
    void whereOneCannotTheOthersComeToTheirEnd() {
        var ended = new AtomicInteger();
        assertThatThrownBy(() -> ManyHands.each(IntStream.range(0, 40).boxed().toList(), item -> {
                    if (item == 3) {
                        throw new IOException("gone");
                    }
                    return ended.incrementAndGet();
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("gone");
        assertThat(ended).hasValue(39);
    }
}
