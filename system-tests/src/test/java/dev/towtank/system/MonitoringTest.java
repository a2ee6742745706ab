package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MonitoringTest {

    @Test
    void theAlertRulesAreRightAndFireWhenTheyShould() {
        var rules = Monitoring.DIRECTORY.resolve("alerts.yaml").toString();
        var checked = Program.run(List.of("promtool", "check", "rules", rules));
        assertThat(checked.exit()).as(checked.out() + checked.err()).isZero();
        var tests = Monitoring.DIRECTORY.resolve("alerts-test.yaml").toString();
        var tested = Program.run(List.of("promtool", "test", "rules", tests));
        assertThat(tested.exit()).as(tested.out() + tested.err()).isZero();
    }
}
