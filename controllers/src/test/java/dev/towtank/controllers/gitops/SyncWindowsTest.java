package dev.towtank.controllers.gitops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.YamlText;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SyncWindowsTest {

    private static final Destination PRODUCTION =
            new Destination(LogicalCluster.DEFAULT, "https://kubernetes.default.svc", "in-cluster", "production", "");

    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z"); // a Monday

    private static Json.Obj project(String windows) {
        return (Json.Obj) YamlText.parse("syncWindows: [" + windows + "]");
    }

    private static SyncWindows.Verdict verdict(String windows, boolean isManual) {
        return SyncWindows.of(project(windows), "shop", PRODUCTION).at(NOON, isManual, false);
    }

    @Test
    void whereNothingIsSaidAllIsOpen() {
        assertThat(verdict("", false).isOpen()).isTrue();
        assertThat(verdict("{kind: deny, schedule: '0 12 * * *', duration: 1h, applications: [other]}", false)
                        .isOpen())
                .isTrue();
    }

    @Test
    void denialsWinAndTellUntilWhen() {
        var both = "{kind: allow, schedule: '0 0 * * *', duration: 24h, applications: ['*']},"
                + "{kind: deny, schedule: '0 11 * * *', duration: 90m, namespaces: [prod*]}";
        var verdict = verdict(both, false);
        assertThat(verdict.isOpen()).isFalse();
        assertThat(verdict.why())
                .isEqualTo("held back until 2026-03-02T12:30:00Z by the sync window deny '0 11 * * *' for 1h30m0s");
        assertThat(verdict.changes()).contains(Instant.parse("2026-03-02T12:30:00Z"));
    }

    @Test
    void whereSomeTimeIsAllowedNoOtherIs() {
        var night = "{kind: allow, schedule: '0 22 * * *', duration: 4h, clusters: [in-cluster]%s}";
        var verdict = verdict(night.formatted(""), false);
        assertThat(verdict.isOpen()).isFalse();
        assertThat(verdict.why()).contains("until 2026-03-02T22:00:00Z");
        assertThat(verdict(night.formatted(""), true).isOpen()).isFalse();
        assertThat(verdict(night.formatted(", manualSync: true"), true).isOpen())
                .isTrue();
        assertThat(SyncWindows.of(project(night.formatted("")), "shop", PRODUCTION)
                        .at(Instant.parse("2026-03-02T23:30:00Z"), false, false)
                        .isOpen())
                .isTrue();
    }

    @Test
    void timesAreThoseOfTheZone() {
        // Noon in London is 21 o'clock in Tokyo.
        var tokyo = "{kind: deny, schedule: '0 21 * * *', duration: 1h, applications: ['*'], timeZone: Asia/Tokyo}";
        assertThat(verdict(tokyo, false).isOpen()).isFalse();
        assertThat(verdict(tokyo.replace("Asia/Tokyo", "UTC"), false).isOpen()).isTrue();
    }

    @Test
    void selectorsAreAlternativesUnlessAllAreAskedFor() {
        var window = "{kind: deny, schedule: '* * * * *', duration: 1h, applications: [shop], namespaces: [other]%s}";
        assertThat(verdict(window.formatted(""), false).isOpen()).isFalse();
        assertThat(verdict(window.formatted(", andOperator: true"), false).isOpen())
                .isTrue();
    }

    @Test
    void whatRunsMayComeToItsEndWhereThatIsSaid() {
        var window = "{kind: deny, schedule: '* * * * *', duration: 1h, applications: [shop], syncOverrun: true}";
        var windows = SyncWindows.of(project(window), "shop", PRODUCTION);
        assertThat(windows.at(NOON, false, false).isOpen()).isFalse();
        assertThat(windows.at(NOON, false, true).isOpen()).isTrue();
    }

    @Test
    void whatCannotBeReadIsNamed() {
        assertThat(
                        SyncWindows.problems(
                                project(
                                        "{kind: maybe, schedule: never, duration: long, timeZone: Moon/Base, applications: [a], colour: red}")))
                .satisfiesExactly(
                        each -> assertThat(each).contains("can only be allow or deny"),
                        each -> assertThat(each).contains("the field colour is not served"),
                        each -> assertThat(each).contains("cannot parse schedule 'never'"),
                        each -> assertThat(each).contains("cannot parse duration 'long'"),
                        each -> assertThat(each).contains("Moon/Base"));
    }
}
