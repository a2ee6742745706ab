package dev.towtank.controllers.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When a BuildConfig starts builds, and what it tells of them.
class ConfigReconcilerTest {

    private static final Instant NOW = Instant.parse("2026-11-17T10:00:00Z");

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Resource config(String triggers, String status) {
        return object("""
                apiVersion: build.openshift.io/v1
                kind: BuildConfig
                metadata: {name: app, namespace: demo, uid: u-1, generation: 1}
                spec:
                  source: {git: {uri: "https://git.example.com/app.git"}, sourceSecret: {name: login}}
                  strategy: {dockerStrategy: {from: {kind: ImageStreamTag, name: "base:1"}}}
                  output: {to: {kind: ImageStreamTag, name: "app:latest"}}
                  failedBuildsHistoryLimit: 1
                  triggers: [%s]
                status: {%s}
                """.formatted(triggers, status));
    }

    private static Resource build(int number, String phase, String more) {
        return object("""
                apiVersion: build.openshift.io/v1
                kind: Build
                metadata:
                  name: app-%d
                  namespace: demo
                  annotations:
                    openshift.io/build.number: "%d"
                    towtank.dev/buildconfig-generation: "1"
                    towtank.dev/source-secret-version: "7"
                status: {phase: %s%s}
                """.formatted(number, number, phase, more));
    }

    private static Plan plan(Resource config, ConfigFacts facts) {
        return new ConfigReconciler().reconcile(Observed.of(BuildKinds.CONFIG, config), facts, NOW);
    }

    private static ConfigFacts facts(List<Resource> builds, String image, String secret) {
        return new ConfigFacts(
                builds, image.isEmpty() ? Map.of() : Map.of("demo/base:1", image), secret, Optional.empty());
    }

    private static List<String> started(Plan plan) {
        return plan.changes().stream()
                .filter(Change.Create.class::isInstance)
                .map(change -> ((Change.Create) change).object())
                .map(build -> build.name() + ": "
                        + build.spec().objects("triggeredBy").getFirst().string("message"))
                .toList();
    }

    private static String latest(Plan plan) {
        return plan.changes().stream()
                .filter(Change.SetStatus.class::isInstance)
                .map(change -> ((Change.SetStatus) change)
                        .status()
                        .objects("conditions")
                        .getFirst())
                .map(each -> each.string("status") + " " + each.string("reason") + " " + each.string("message"))
                .findFirst()
                .orElse("");
    }

    @Test
    void aNewOneIsBuiltOnce() {
        var first = plan(config("{type: ConfigChange}", ""), facts(List.of(), "", "7"));
        assertThat(started(first)).containsExactly("app-1: Build configuration change");
        // The status may be late; the build is there.
        assertThat(started(plan(config("{type: ConfigChange}", ""), facts(List.of(build(1, "New", "")), "", "7"))))
                .isEmpty();
        // Its builds were deleted: that sets off nothing.
        assertThat(started(plan(config("{type: ConfigChange}", "lastVersion: 1"), facts(List.of(), "", "7"))))
                .isEmpty();
        assertThat(started(plan(config("", ""), facts(List.of(), "", "7")))).isEmpty();
    }

    @Test
    void aChangedOneIsBuiltAgain() {
        var changed = config("{type: ConfigChange}", "lastVersion: 1");
        var next = Resource.of(changed.json().with(List.of("metadata", "generation"), Json.of(2)));
        assertThat(started(plan(next, facts(List.of(build(1, "Complete", "")), "", "7"))))
                .containsExactly("app-2: Build configuration change");
    }

    @ParameterizedTest
    @CsvSource({"FetchSourceFailed, 8, app-2", "FetchSourceFailed, 7, ''", "DockerBuildFailed, 8, ''"})
    void aNewPasswordIsTriedWhereTheOldOneDidNotDo(String reason, String secret, String name) {
        var failed = build(1, "Failed", ", reason: " + reason);
        var begun = started(plan(config("{type: ConfigChange}", "lastVersion: 1"), facts(List.of(failed), "", secret)));
        assertThat(begun).isEqualTo(name.isEmpty() ? List.of() : List.of(name + ": Change of the source's Secret"));
    }

    @Test
    void aNewImageSetsOffOneBuild() {
        var fresh = config("{type: ImageChange, imageChange: {}}", "");
        var plan = plan(fresh, facts(List.of(), "sha256:1", "7"));
        assertThat(started(plan)).containsExactly("app-1: Image change");
        assertThat(plan.json().toString()).contains("\"lastTriggeredImageID\":\"sha256:1\"");
        var seen = "lastVersion: 1, imageChangeTriggers: [{lastTriggeredImageID: 'sha256:1'}]";
        var known = config("{type: ImageChange, imageChange: {}}", seen);
        assertThat(started(plan(known, facts(List.of(build(1, "Complete", "")), "sha256:1", "7"))))
                .isEmpty();
        assertThat(started(plan(known, facts(List.of(build(1, "Complete", "")), "sha256:2", "7"))))
                .containsExactly("app-2: Image change");
    }

    @Test
    void nothingIsBuiltOnAnImageThatIsNotThere() {
        var facts = new ConfigFacts(List.of(), Map.of(), "7", Optional.of("there is no image in base:1"));
        var plan = plan(config("{type: ConfigChange}", ""), facts);
        assertThat(started(plan)).isEmpty();
        assertThat(latest(plan)).isEqualTo("Unknown InvalidImageReference there is no image in base:1");
    }

    @Test
    void itTellsOfItsNewestBuildAndOldOnesGo() {
        var builds = List.of(
                build(1, "Failed", ""),
                build(2, "Failed", ""),
                build(3, "Failed", ", reason: DockerBuildFailed, message: 'no', logSnippet: last words"));
        var plan = plan(config("", "lastVersion: 3"), facts(builds, "", "7"));
        assertThat(latest(plan)).isEqualTo("False DockerBuildFailed build app-3 failed: no\nlast words");
        assertThat(plan.changes())
                .filteredOn(Change.Delete.class::isInstance)
                .extracting(change -> ((Change.Delete) change).seen().name())
                .containsExactly("app-1", "app-2");
        assertThat(latest(plan(config("", ""), facts(List.of(), "", "7"))))
                .startsWith("Unknown NotStarted nobody has started");
    }
}
