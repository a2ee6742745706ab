package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.app.engine.VirtualTime;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

    private static Json.Obj answer(VirtualTime time, String method, String query) throws Exception {
        var request = new WebRequest(
                method, VirtualTime.PATH, query, Map.of(), InputStream.nullInputStream(), Optional.empty(), true);
        var body = new ByteArrayOutputStream();
        time.endpoints().getFirst().handler().handle(request).body().writeTo(body);
        return JsonText.parseObject(body.toString(StandardCharsets.UTF_8));
    }

    @Test
    void timeThatWasMovedStaysMoved() throws Exception {
        var file = directory.resolve("virtual-time");
        try (var time = VirtualTime.open(Optional.of(file))) {
            var before = time.timers().instant();
            answer(time, "POST", "by=PT168H");
            assertThat(Duration.between(before, time.timers().instant())).isGreaterThanOrEqualTo(Duration.ofDays(7));
        }
        try (var again = VirtualTime.open(Optional.of(file))) {
            assertThat(answer(again, "GET", "").string("ahead")).isEqualTo("PT168H");
        }
    }

    @Test
    void timeDoesNotMoveBack() {
        try (var time = VirtualTime.open(Optional.of(directory.resolve("virtual-time")))) {
            assertThatThrownBy(() -> answer(time, "POST", "by=PT-1H"))
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

    @ParameterizedTest
    @ValueSource(ints = {404, 405})
    void whoCannotMoveTimeIsToldHow(int answer) throws Exception {
        var server = new Terminal();
        server.engine = site -> FakeEngine.start(site, answer);
        server.begin(2, "up", "--data", directory.toString(), "--port", "0");
        try {
            var terminal = new Terminal();
            assertThat(terminal.run("time", "advance", "7d", "--data", directory.toString()))
                    .isEqualTo(1);
            assertThat(terminal.err())
                    .isEqualTo("towtank: The server's clock cannot be moved: it was not started for that. Stop it, and"
                            + " start it with './towtank up --virtual-time'.\n");
        } finally {
            server.stop();
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
