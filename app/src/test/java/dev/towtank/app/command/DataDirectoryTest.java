package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.ShellText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataDirectoryTest {

    @ParameterizedTest
    @CsvSource({
        "/state, /home/jane, /state/towtank",
        "'',     /home/jane, /home/jane/.local/state/towtank",
        "state,  /home/jane, /home/jane/.local/state/towtank"
    })
    void isWhereTheXdgRulesWantIt(String stateHome, String home, String expected) {
        var environment = Map.of("XDG_STATE_HOME", stateHome, "HOME", home);

        assertThat(DataDirectory.locate(null, environment).root()).isEqualTo(Path.of(expected));
    }

    @Test
    void isTheChosenOneOtherwise() {
        var data = DataDirectory.locate(Path.of("here/../there"), Map.of("XDG_STATE_HOME", "/state"));

        assertThat(data.root()).isEqualTo(Path.of("there").toAbsolutePath());
    }

    @ParameterizedTest
    @CsvSource({"/a/b, /a/b", "/a b, '''/a b'''", "/it's, '''/it''\\''''s'''"})
    void pathsCanBePastedIntoAShell(String path, String quoted) {
        assertThat(ShellText.quote(path)).isEqualTo(quoted);
    }

    @ParameterizedTest
    @CsvSource({"5, 5 s", "65, 1 min 5 s", "3661, 1 h 1 min", "90000, 1 d 1 h", "-3, 0 s"})
    void timesAreInWords(long seconds, String words) {
        assertThat(StatusCommand.words(Duration.ofSeconds(seconds))).isEqualTo(words);
    }
}
