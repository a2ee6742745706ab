package dev.towtank.app.run.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.JsonText;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellTableTest {

    private static final Instant NOW = Instant.EPOCH.plusSeconds(3);

    private static CellTable after(String... events) {
        var table = CellTable.of("a.ipynb");
        for (var event : events) {
            table = table.with(JsonText.parseObject(event), Instant.EPOCH);
        }
        return table;
    }

    private static final String[] EVENTS = {
        "{\"event\": \"started\", \"cells\": 3}",
        "{\"event\": \"cellStarted\", \"cell\": null, \"source\": \"x = 7\"}",
        "{\"event\": \"cellFinished\", \"cell\": null, \"status\": \"Success\", \"seconds\": 0.01}",
        "{\"event\": \"cellStarted\", \"cell\": 1, \"source\": \"model.fit()\"}",
        "{\"event\": \"output\", \"cell\": 1, \"text\": \"one\\ntwo\\n\"}",
    };

    @Test
    void showsWhatRunsNowWithWhatItWroteLast() {
        assertThat(after(EVENTS).live(Style.PLAIN, 60, 24, NOW))
                .contains("  + -p  x = 7          0.0s", "  *  1  model.fit()    3.0s  two")
                .last()
                .asString()
                .endsWith("1 of 3 cells");
    }

    @Test
    void isNeverWiderOrHigherThanTheTerminal() {
        var lines = after(EVENTS).live(Style.PLAIN, 20, 8, NOW);

        assertThat(lines).allSatisfy(line -> assertThat(Columns.width(line)).isLessThanOrEqualTo(20));
        assertThat(lines.size()).isLessThan(8);
    }

    @Test
    void tellsInTheEndWhichCellFailedAndWhy() {
        var table = after(EVENTS)
                .with(
                        JsonText.parseObject(
                                "{\"event\": \"cellFinished\", \"cell\": 1, \"status\": \"Failure\", \"seconds\": 2, \"errorMessage\": \"ValueError: no\"}"),
                        NOW)
                .with(JsonText.parseObject("{\"event\": \"cellFinished\", \"cell\": 2, \"status\": \"Skipped\"}"), NOW)
                .with(
                        JsonText.parseObject(
                                "{\"event\": \"finished\", \"status\": \"failed\", \"reason\": \"CellFailed\", \"message\": \"Cell 1 failed\"}"),
                        NOW);

        assertThat(table.last(Style.PLAIN, 60, List.of("Traceback"), NOW))
                .containsSubsequence(
                        "  x  1  model.fit()    2.0s  ValueError: no",
                        "  -  2  not reached",
                        "  | Traceback",
                        "CellFailed: Cell 1 failed");
    }
}
