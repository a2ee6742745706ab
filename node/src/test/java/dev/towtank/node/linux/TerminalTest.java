package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class TerminalTest {

    private static final int ENOUGH = 200;

    /// A session is closed by whoever has it, and once more with the server.
    @Test
    void whatIsClosedTwiceClosesNothingElse() throws Exception {
        var terminal = Terminal.open();
        terminal.close();
        var others = new ArrayList<Integer>();
        while (!others.contains(terminal.master()) && others.size() < ENOUGH) {
            others.add(Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0));
        }

        terminal.close();
        terminal.resize(80, 24);

        for (int other : others) {
            assertThatCode(() -> Descriptors.write(other, new byte[1])).doesNotThrowAnyException();
            Descriptors.close(other);
        }
    }
}
