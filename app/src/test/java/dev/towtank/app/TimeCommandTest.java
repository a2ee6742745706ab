package dev.towtank.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.Params;
import dev.towtank.model.StatusError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeCommandTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"7d,PT168H", "12h,PT12H", "1d6h30m,PT30H30M", "45s,PT45S"})
    void readsHowFar(String text, Duration expected) {
        assertThat(TimeCommand.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7", "7w", "d", "-7d", "7d ", "0s"})
    void saysWhatATimeLooksLike(String text) {
        assertThatThrownBy(() -> TimeCommand.parse(text)).hasMessageContaining("write it like 7d");
    }

    @Test
    void timeThatWasMovedStaysMoved() {
        var file = directory.resolve("virtual-time");
        try (var time = VirtualTime.open(Optional.of(file))) {
            var before = time.timers().instant();
            time.endpoints().get(VirtualTime.PATH).answer("post", new Params(Map.of("by", List.of("PT168H"))));
            assertThat(Duration.between(before, time.timers().instant())).isGreaterThanOrEqualTo(Duration.ofDays(7));
        }
        try (var again = VirtualTime.open(Optional.of(file))) {
            assertThat(again.endpoints()
                            .get(VirtualTime.PATH)
                            .answer("get", Params.NONE)
                            .string("ahead"))
                    .isEqualTo("PT168H");
        }
    }

    @Test
    void timeDoesNotMoveBack() {
        try (var time = VirtualTime.open(Optional.of(directory.resolve("virtual-time")))) {
            var endpoint = time.endpoints().get(VirtualTime.PATH);
            assertThatThrownBy(() -> endpoint.answer("post", new Params(Map.of("by", List.of("PT-1H")))))
                    .isInstanceOf(StatusError.class)
                    .hasMessageContaining("forward only");
        }
    }

    @Test
    void theMachinesTimeCannotBeMoved() {
        try (var time = VirtualTime.open(Optional.empty())) {
            assertThat(time.endpoints()).isEmpty();
        }
    }

    @Test
    void aDirectoryThatTravelledNeedsVirtualTime() throws Exception {
        Files.writeString(directory.resolve("virtual-time"), "PT1H");
        var terminal = new Terminal();

        assertThat(terminal.run("up", "--data", directory.toString(), "--port", "0"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("must not go back", "--virtual-time");
    }
}
