package dev.towtank.apiserver.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.admission.Passage;
import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkersTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 32, 1000})
    void keepsTheOrderOfWhatItChooses(int count) {
        var numbers = IntStream.range(0, count).boxed().toList();
        assertThat(Workers.filter(numbers, number -> number % 3 == 0))
                .isEqualTo(numbers.stream().filter(number -> number % 3 == 0).toList());
    }

    @Test
    void worksOnSeveralAtOnce() {
        var numbers = IntStream.range(0, 32).boxed().toList();
        // Would wait for ever if the first were finished before the second is begun.
        var both = new CountDownLatch(2);
        assertThat(Workers.filter(numbers, _ -> {
                    both.countDown();
                    try {
                        both.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return true;
                }))
                .hasSize(32);
    }

    @Test
    void beginsNothingMoreAfterAFailure() {
        var begun = new AtomicInteger();
        assertThatThrownBy(
                        () -> Workers.filter(IntStream.range(0, 10_000).boxed().toList(), _ -> {
                            begun.incrementAndGet();
                            throw new IllegalStateException("no");
                        }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
        assertThat(begun.get()).isLessThanOrEqualTo(32);
    }

    @Test
    void belongsToTheRequestThatItIsDoneFor() {
        Set<Passage> passages = ConcurrentHashMap.newKeySet();
        var answer = Passage.of(() -> {
            Workers.filter(IntStream.range(0, 100).boxed().toList(), number -> {
                passages.add(Passage.current());
                Passage.current().warn("careful");
                return true;
            });
            return new Answer.One(200, Optional.empty(), Content.of(Json.Obj.EMPTY), List.of());
        });
        assertThat(passages).hasSize(1);
        assertThat(answer.warnings()).containsExactly("careful");
    }
}
