package dev.towtank.controllers.triggers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.events.Glob;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Repositories that are looked at.
class GitRepositoryReconcilerTest {

    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
    private static final String ONE = "1".repeat(40);
    private static final String TWO = "2".repeat(40);

    private static Resource repository(String status) {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: triggers.towtank.dev/v1alpha1
                kind: GitRepository
                metadata: {name: r, namespace: n, uid: u, resourceVersion: "1"}
                spec: {url: "https://example.com/o/r.git", branches: [main, "release-*"], interval: 10s, eventListener: el}
                status: %s
                """.formatted(status)));
    }

    private static Plan plan(String status, Answer<Map<String, String>> refs) {
        return new GitRepositoryReconciler()
                .reconcile(Observed.of(TriggersKinds.GIT_REPOSITORY, repository(status)), refs, NOW);
    }

    private static Answer<Map<String, String>> known(String... refs) {
        var all = new java.util.HashMap<String, String>();
        for (int i = 0; i < refs.length; i += 2) {
            all.put(refs[i], refs[i + 1]);
        }
        return new Answer.Known<>(all, NOW);
    }

    @Test
    void theFirstLookIsNoNews() {
        var plan = plan("{}", known("refs/heads/main", ONE, "refs/heads/other", TWO, "refs/tags/main", TWO));

        assertThat(plan.json().toString())
                .contains("\"branches\":{\"main\":\"" + ONE + "\"}")
                .doesNotContain("act");
        assertThat(plan.lookAgain()).contains(NOW.plusSeconds(10));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            main,        1, main,        2, main,        1, 2
            main,        1, -,           -, main,        1, 0
            main,        1, release-2,   2, main,        1, 0
            release-1,   1, release-2,   1, release-1,   1, 0
            main,        1, main,        1, -,           -, -
            """)
    void aBranchThatMovedIsAPush(
            String was, String from, String is, String to, String branch, String before, String after) {
        var refs = is == null ? known() : known("refs/heads/" + is, to.repeat(40));
        var plan = plan("{branches: {%s: \"%s\"}}".formatted(was, from.repeat(40)), refs);

        var push = plan.changes().stream()
                .filter(Change.Act.class::isInstance)
                .map(change -> (GitRepositoryReconciler.Push) ((Change.Act) change).deed())
                .findFirst();
        assertThat(push.map(each -> each.branch() + each.before() + each.after()))
                .isEqualTo(Optional.ofNullable(branch).map(name -> name + before.repeat(40) + after.repeat(40)));
    }

    @Test
    void afterAPushTheStatusTellsIt() {
        var plan = plan("{branches: {main: \"" + ONE + "\"}}", known("refs/heads/main", TWO));
        var act = (Change.Act) plan.changes().getFirst();

        assertThat(act.sequel().after(Json.Arr.EMPTY).json().toString())
                .contains("\"branches\":{\"main\":\"" + TWO + "\"}", "\"lastEvent\":");
    }

    @Test
    void aRepositoryThatCannotBeReadSaysWhyAndIsTriedAgain() {
        var plan = plan(
                "{branches: {main: \"" + ONE + "\"}}", new Answer.Failed<>("no such host", NOW, NOW, Optional.empty()));

        assertThat(plan.json().toString()).contains("\"status\":\"False\"", "no such host", "\"main\":\"" + ONE + "\"");
        assertThat(plan.lookAgain()).isPresent();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            *,         any/thing, true
            main,      main,      true
            main,      main2,     false
            release-*, release-1, true
            release-*, release,   false
            a*b*c,     aXbXbXc,   true
            a*b*c,     aXbXbX,    false
            """)
    void starsStandForAnyText(String pattern, String name, boolean expected) {
        assertThat(Glob.matches(pattern, name)).isEqualTo(expected);
    }
}
