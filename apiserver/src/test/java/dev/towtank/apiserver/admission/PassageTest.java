package dev.towtank.apiserver.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Content;
import dev.towtank.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PassageTest {

    private static Answer answer() {
        return new Answer.One(200, Optional.empty(), Content.of(Json.Obj.EMPTY), List.of("first"));
    }

    @Test
    void addsAdviceToTheAnswerOnce() {
        var answer = Passage.of(() -> {
            Passage.current().warn("careful");
            Passage.current().warn("careful");
            return answer();
        });

        assertThat(answer.warnings()).containsExactly("first", "careful");
    }

    @Test
    void oneRequestHearsNothingOfAnother() {
        Passage.of(() -> {
            Passage.current().warn("careful");
            return answer();
        });

        assertThat(Passage.of(PassageTest::answer).warnings()).containsExactly("first");
    }

    @Test
    void timeRunsFromTheFirstQuestion() {
        var now = new AtomicReference<>(Instant.EPOCH);
        InstantSource clock = now::get;

        Passage.of(() -> {
            assertThat(Passage.current().remaining(clock)).isEqualTo(Duration.ofSeconds(34));
            now.set(Instant.EPOCH.plusSeconds(30));
            assertThat(Passage.current().remaining(clock)).isEqualTo(Duration.ofSeconds(4));
            now.set(Instant.EPOCH.plusSeconds(35));
            assertThat(Passage.current().remaining(clock).isPositive()).isFalse();
            return answer();
        });
    }
}
