package dev.towtank.model.kinds.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.kinds.KindTrial;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventsTest {

    private static final KindTrial TRIAL = new KindTrial(Events.KIND);

    private static final String NEW = """
            apiVersion: events.k8s.io/v1
            kind: Event
            metadata: {name: e, namespace: default}
            eventTime: 2026-01-01T00:00:00.000000Z
            series: {count: 3, lastObservedTime: 2026-01-01T00:00:30.000000Z}
            reportingController: acme.io/controller
            reportingInstance: controller-1
            action: Starting
            reason: Started
            regarding: {kind: Pod, name: web, namespace: default}
            related: {kind: Node, name: n}
            note: Started it
            type: Normal
            """;

    @Test
    void convertsToTheCoreFormAndBackWithoutLoss() {
        var event = KindTrial.yaml("""
                apiVersion: events.k8s.io/v1
                kind: Event
                metadata: {name: e}
                note: n
                regarding: {kind: Pod}
                deprecatedSource: {component: kubelet}
                deprecatedCount: 2
                deprecatedFirstTimestamp: a
                deprecatedLastTimestamp: b
                reportingController: c
                other: kept
                """);
        var core = EventConversion.toCore(event);

        assertThat(core).isEqualTo(KindTrial.yaml("""
                apiVersion: v1
                kind: Event
                metadata: {name: e}
                message: n
                involvedObject: {kind: Pod}
                source: {component: kubelet}
                count: 2
                firstTimestamp: a
                lastTimestamp: b
                reportingComponent: c
                other: kept
                """));
        assertThat(EventConversion.fromCore(core)).isEqualTo(event);
    }

    @Test
    void acceptsANewEvent() {
        assertThat(TRIAL.errors(NEW)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            type: Normal | type: Odd | type: Invalid value: "": has invalid value: Odd
            type: Normal | {type: Normal, deprecatedCount: 1} | count: Invalid value: "": needs to be unset
            type: Normal | {type: Normal, deprecatedFirstTimestamp: a} | firstTimestamp: Invalid value: "": needs to be unset
            type: Normal | {type: Normal, deprecatedSource: {host: a}} | source: Invalid value: "": needs to be unset
            count: 3 | count: 1 | series.count: Invalid value: "": should be at least 2
            reason: Started | reason: "" | reason: Required value
            action: Starting | action: "" | action: Required value
            """)
    void isStrictAboutNewEvents(String old, String changed, String message) {
        var text = changed.startsWith("{")
                ? NEW.replace(old, changed.substring(1, changed.length() - 1).replace(", deprecated", "\ndeprecated"))
                : NEW.replace(old, changed);
        assertThat(TRIAL.errors(text)).containsExactly(message);
    }

    @Test
    void namesItsControllerAsThisVersionDoes() {
        assertThat(TRIAL.errors(NEW.replace("acme.io/controller", "\"\"")))
                .first()
                .isEqualTo("reportingController: Required value");
        assertThat(TRIAL.errors(NEW.replace("namespace: default}\nrelated", "namespace: default}\nrelated")
                        .replace("eventTime: 2026-01-01T00:00:00.000000Z\n", "")
                        .replace("name: web, namespace: default", "name: web, namespace: other")))
                .containsExactly(
                        "involvedObject.namespace: Invalid value: \"other\": does not match event.namespace",
                        "eventTime: Required value");
    }

    @Test
    void onlyTheSeriesOfAnEventGoesOn() {
        assertThat(TRIAL.updateErrors(NEW, NEW.replace("count: 3", "count: 4"))).isEmpty();
        assertThat(TRIAL.updateErrors(
                        NEW, NEW.replace("Started it", "Stopped it").replace("controller-1", "x")))
                .containsExactly(
                        "message: Invalid value: \"Stopped it\": field is immutable",
                        "reportingInstance: Invalid value: \"x\": field is immutable");
    }

    @Test
    void showsTheColumnsOfTheCoreForm() {
        assertThat(TRIAL.headings())
                .containsExactly(
                        "Last Seen",
                        "Type",
                        "Reason",
                        "Object",
                        "Subobject",
                        "Source",
                        "Message",
                        "First Seen",
                        "Count",
                        "Name");
        assertThat(TRIAL.row(NEW, "2026-01-01T00:01:00Z"))
                .containsExactly(
                        "30s",
                        "Normal",
                        "Started",
                        "pod/web",
                        "",
                        "acme.io/controller, controller-1",
                        "Started it",
                        "60s",
                        "3",
                        "e");
    }

    @Test
    void selectsByWhatItIsAbout() {
        var fields = Events.KIND.rules().selectableFields();

        assertThat(fields.get("regarding.kind").apply(KindTrial.yaml(NEW))).isEqualTo("Pod");
        assertThat(fields.get("reportingController").apply(KindTrial.yaml(NEW))).isEqualTo("acme.io/controller");
        assertThat(fields).doesNotContainKey("involvedObject.kind");
    }
}
