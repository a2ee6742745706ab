package dev.towtank.app.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineOutputTest {

    private static List<String> lines(String text) throws IOException {
        var lines = new ArrayList<String>();
        ServerRuns.copy(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), lines::add);
        return lines;
    }

    @Test
    void aTextBecomesItsLines() throws IOException {
        assertThat(lines("")).isEmpty();
        assertThat(lines("one\n\nthree")).containsExactly("one", "", "three");
        assertThat(lines("one\n")).containsExactly("one");
    }

    @Test
    void aLineWithoutEndComesInPiecesThatCutNoCharacter() throws IOException {
        var endless = "x" + "ü€".repeat(LineOutput.LONGEST / 2);
        var pieces = lines(endless);
        assertThat(pieces)
                .hasSizeGreaterThan(2)
                .allSatisfy(piece -> assertThat(piece.getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan(LineOutput.LONGEST + 4));
        assertThat(String.join("", pieces)).isEqualTo(endless);
    }
}
