package dev.towtank.node.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every document of `actions.yaml` is a case: a pod, what is known of its containers (times in seconds from now), and
/// what is to be done.
class PodActionsTest {

    @TestFactory
    Stream<DynamicTest> decides() throws IOException {
        try (var input = PodActionsTest.class.getResourceAsStream("actions.yaml")) {
            return YamlText.parseAll(input.readAllBytes()).stream()
                    .map(Json.Obj.class::cast)
                    .map(given -> DynamicTest.dynamicTest(given.string("case"), () -> check(given)));
        }
    }

    private static void check(Json.Obj given) {
        var pod = Resource.of(given.object("pod"));
        var facts = PodFactsReader.read(given.object("containers"));
        var actions = PodActions.compute(pod, facts, PodFactsReader.NOW);
        assertThat(shown(actions, given.object("expect"))).isEqualTo(given.object("expect"));
        assertThat(PodActions.compute(pod, facts, PodFactsReader.NOW)).isEqualTo(actions);
    }

    /// As the cases write it; the back-off of a start only where the case tells one.
    private static Json.Obj shown(PodActions actions, Json.Obj expected) {
        boolean withDelay = expected.array("start").strings().stream().anyMatch(text -> text.contains(" "));
        var start = new ArrayList<Json>();
        actions.start()
                .forEach(each -> start.add(Json.of(
                        withDelay
                                ? each.container() + " "
                                        + each.backOff().delay().toSeconds()
                                : each.container())));
        var stop = new ArrayList<Json>();
        actions.stop()
                .forEach(
                        each -> stop.add(Json.of(each.container() + " +" + seconds(each.by()) + " " + each.message())));
        var resize = new ArrayList<Json>();
        actions.resize().forEach(each -> resize.add(Json.of(each.container() + " " + each.resources())));
        var backOff = new ArrayList<Json>();
        actions.backingOff()
                .forEach(each -> backOff.add(Json.of(
                        each.container() + " " + each.backOff().delay().toSeconds() + " +" + seconds(each.until()))));
        var shown = Json.Obj.builder()
                .putNonEmpty("start", new Json.Arr(start))
                .putNonEmpty("stop", new Json.Arr(stop))
                .putNonEmpty("resize", new Json.Arr(resize))
                .putNonEmpty("backOff", new Json.Arr(backOff));
        actions.failure().ifPresent(failure -> shown.put("failure", failure.reason()));
        actions.lookAgain().ifPresent(moment -> shown.put("lookAgain", seconds(moment)));
        if (actions.over()) {
            shown.put("over", true);
        }
        return shown.build();
    }

    private static long seconds(Instant moment) {
        return Duration.between(PodFactsReader.NOW, moment).toSeconds();
    }
}
