package dev.towtank.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogFollowerTest {
    private final List<String> lines = new ArrayList<>();

    private String copy(String text) throws IOException {
        var file = new ByteArrayOutputStream();
        LogFollower.copy(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), file, lines::add);
        return file.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aLogBecomesLinesAndTheFileGetsAllOfIt() throws IOException {
        assertThat(copy("one\r\n\ntwo ü\nno end")).isEqualTo("one\r\n\ntwo ü\nno end");
        assertThat(lines).containsExactly("one", "", "two ü", "no end");
    }

    @Test
    void aLineWithoutEndIsToldInParts() throws IOException {
        var text = "x".repeat(200_000);

        assertThat(copy(text)).isEqualTo(text);
        assertThat(String.join("", lines)).isEqualTo(text);
        assertThat(lines).hasSize(4);
    }
}
