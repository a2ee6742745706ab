package dev.towtank.node.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class PodStatusTest {

    private static final PodStatus.Place PLACE = new PodStatus.Place("10.0.0.1", "10.0.0.1", true);

    @TestFactory
    Stream<DynamicTest> tells() throws IOException {
        try (var input = PodStatusTest.class.getResourceAsStream("status.yaml")) {
            return YamlText.parseAll(input.readAllBytes()).stream()
                    .map(Json.Obj.class::cast)
                    .map(given -> DynamicTest.dynamicTest(given.string("case"), () -> check(given)));
        }
    }

    private static void check(Json.Obj given) {
        var pod = Resource.of(given.object("pod"));
        var facts = PodFactsReader.read(given.object("containers"), given.flag("over"));
        var status = PodStatus.of(pod, facts, PLACE, PodFactsReader.NOW);
        assertThat(shown(status)).isEqualTo(given.object("expect"));
        var told = pod.with(pod.json().with("status", status));
        assertThat(PodStatus.of(told, facts, PLACE, PodFactsReader.NOW.plusSeconds(100)))
                .as("equal facts at another time")
                .isEqualTo(status);
    }

    private static Json.Obj shown(Json.Obj status) {
        var conditions = Json.Obj.builder();
        for (var condition : status.objects("conditions")) {
            conditions.put(
                    condition.string("type"),
                    (condition.string("status") + " " + condition.string("reason") + " " + condition.string("message"))
                            .strip());
        }
        var containers = Json.Obj.builder();
        for (var list : List.of("initContainerStatuses", "containerStatuses")) {
            status.objects(list).forEach(each -> containers.put(each.string("name"), container(each)));
        }
        return Json.Obj.of(
                "phase", Json.of(status.string("phase")),
                "conditions", conditions.build(),
                "containers", containers.build());
    }

    private static String container(Json.Obj status) {
        var state = status.object("state");
        var shown = state.has("running")
                ? "running"
                : state.has("waiting")
                        ? ("waiting " + state.string("waiting", "reason") + " " + state.string("waiting", "message"))
                                .strip()
                        : "terminated " + state.integer("terminated", "exitCode") + " "
                                + state.string("terminated", "reason");
        var last = status.object("lastState", "terminated");
        return shown + (status.flag("started") ? ", started" : ", not started")
                + (status.flag("ready") ? ", ready" : ", not ready") + ", " + status.integer("restartCount")
                + " restarts"
                + (last.size() == 0 ? "" : ", last " + last.integer("exitCode") + " " + last.string("reason"));
    }

    @Test
    void namesTheReasonOfAFailureOfTheWholePod() {
        var pod = Resource.of((Json.Obj) YamlText.parse("{spec: {containers: [{name: a}]}}"));
        var failure = new PodFacts.Failure("DeadlineExceeded", "too long");
        var facts = new PodFacts(
                Map.of(), PodFactsReader.NOW, Optional.of(failure), Optional.empty(), Optional.empty(), true, true);
        var status = PodStatus.of(pod, facts, PLACE, PodFactsReader.NOW);
        assertThat(status.string("phase")).isEqualTo("Failed");
        assertThat(status.string("reason")).isEqualTo("DeadlineExceeded");
        assertThat(status.string("message")).isEqualTo("too long");
    }

    @Test
    void keepsConditionsOfOthersAndTheTimesOfItsOwn() {
        var pod = Resource.of((Json.Obj) YamlText.parse("""
                metadata: {generation: 2}
                spec: {containers: [{name: a, image: x}]}
                status:
                  conditions:
                  - {type: DisruptionTarget, status: "True", reason: why}
                  - {type: Ready, status: "False", lastTransitionTime: "2025-05-05T05:05:05Z"}
                """));
        var status = PodStatus.of(pod, PodFactsReader.read(Json.Obj.EMPTY), PLACE, PodFactsReader.NOW);
        assertThat(status.objects("conditions").getFirst().string("type")).isEqualTo("DisruptionTarget");
        assertThat(status.objects("conditions"))
                .filteredOn(condition -> condition.string("type").equals("Ready"))
                .allSatisfy(condition -> {
                    assertThat(condition.string("lastTransitionTime")).isEqualTo("2025-05-05T05:05:05Z");
                    assertThat(condition.integer("observedGeneration")).isEqualTo(2);
                });
    }

    @Test
    void saysThatNothingIsolatesThePod() {
        var pod = Resource.of((Json.Obj) YamlText.parse("{spec: {containers: [{name: a, image: x}]}}"));
        var facts = PodFactsReader.read(Json.Obj.EMPTY);
        var exposed = new PodStatus.Place("10.0.0.1", "10.0.0.1", false);

        var told = PodStatus.of(pod, facts, exposed, PodFactsReader.NOW);

        assertThat(told.objects("conditions"))
                .filteredOn(condition -> condition.string("type").equals("Isolated"))
                .singleElement()
                .satisfies(condition -> {
                    assertThat(condition.string("status")).isEqualTo("False");
                    assertThat(condition.string("reason")).isEqualTo("UnsafeHost");
                    assertThat(condition.string("message")).contains("without a sandbox");
                });
        var later = pod.with(pod.json().with("status", told));
        assertThat(PodStatus.of(later, facts, PLACE, PodFactsReader.NOW).objects("conditions"))
                .noneMatch(condition -> condition.string("type").equals("Isolated"));
    }

    @Test
    void saysWhichPoliciesAreNotInForce() {
        var pod = Resource.of((Json.Obj) YamlText.parse("{spec: {containers: [{name: a, image: x}]}}"));
        var why = Optional.of("[db]: it shares a network");
        var facts = new PodFacts(Map.of(), PodFactsReader.NOW, Optional.empty(), Optional.empty(), why, true, false);

        var told = PodStatus.of(pod, facts, PLACE, PodFactsReader.NOW);

        assertThat(told.objects("conditions"))
                .filteredOn(condition -> condition.string("type").equals("towtank.dev/NetworkPoliciesEnforced"))
                .singleElement()
                .satisfies(condition -> {
                    assertThat(condition.string("status")).isEqualTo("False");
                    assertThat(condition.string("reason")).isEqualTo("NotEnforced");
                    assertThat(condition.string("message")).isEqualTo("[db]: it shares a network");
                });
        var later = pod.with(pod.json().with("status", told));
        var enforced = PodFactsReader.read(Json.Obj.EMPTY);
        assertThat(PodStatus.of(later, enforced, PLACE, PodFactsReader.NOW).objects("conditions"))
                .noneMatch(condition -> condition.string("type").startsWith("towtank.dev/"));
    }

    @Test
    void isReadBackAsItWasWritten() {
        var pod = Resource.of((Json.Obj) YamlText.parse("{spec: {containers: [{name: a, image: x}]}}"));
        var facts = PodFactsReader.read((Json.Obj) YamlText.parse("{a: {exited: 2, previous: 1, restarts: 4}}"));
        var status = PodStatus.of(pod, facts, PLACE, PodFactsReader.NOW);
        var told = status.objects("containerStatuses").getFirst();
        assertThat(ContainerStatus.instance(told)).isEqualTo(facts.of("a").instance());
        assertThat(ContainerStatus.previous(told)).isEqualTo(facts.of("a").previous());
    }
}
