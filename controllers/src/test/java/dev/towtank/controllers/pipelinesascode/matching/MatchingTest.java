package dev.towtank.controllers.pipelinesascode.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.events.OpsComment;
import dev.towtank.controllers.pipelinesascode.events.Payloads;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatchingTest {

    private static final ChangedFiles FILES =
            new ChangedFiles(List.of("docs/a/b.md"), List.of("src/Main.java"), List.of(), List.of());

    private static GitEvent push(String ref) {
        var event = GitEvent.of(GitEvent.Forge.GITHUB, Json.Obj.EMPTY, Map.of());
        event.base = ref;
        event.head = ref;
        event.sha = "c0ffee";
        return event.build();
    }

    private static GitEvent pull() {
        var event = GitEvent.of(
                GitEvent.Forge.GITHUB, JsonText.parseObject("{\"n\": 3, \"x\": {\"y\": \"z\"}}"), Map.of("x-h", "v"));
        event.target = GitEvent.PULL_REQUEST;
        event.type = GitEvent.PULL_REQUEST;
        event.base = "main";
        event.head = "feature";
        event.title = "a title";
        return event.build();
    }

    private static boolean matches(GitEvent event, String annotations) {
        var run = (Json.Obj) YamlText.parse("metadata:\n  name: r\n  annotations:\n" + annotations.indent(4));
        return new Matching(event, () -> FILES, Map.of("team", "blue")).matches(run);
    }

    private static String lists(String event, String branch) {
        return "pipelinesascode.tekton.dev/on-event: '" + event + "'\npipelinesascode.tekton.dev/on-target-branch: '"
                + branch + "'";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[push]                 | main            | refs/heads/main        | true",
                "[pull_request, push]   | [rel-*, main]   | refs/heads/main        | true",
                "push                   | refs/heads/*    | refs/heads/a/b         | true",
                "[push]                 | refs/tags/v*    | refs/tags/v1           | true",
                "[push]                 | main            | refs/tags/main         | false",
                "[push]                 | main            | refs/heads/mainly      | false",
                "[pull_request]         | main            | refs/heads/main        | false",
                "[push]                 | {a,main}        | refs/heads/main        | true",
            })
    void branchesAndEventsMatchAsTheyDoUpstream(String event, String branch, String ref, boolean expected) {
        assertThat(matches(push(ref), lists(event, branch))).isEqualTo(expected);
    }

    @Test
    void pathsAreMatchedAcrossSlashes() {
        var both = lists("[push]", "main");
        assertThat(matches(push("refs/heads/main"), both + "\npipelinesascode.tekton.dev/on-path-change: 'docs/*'"))
                .isTrue();
        assertThat(matches(push("refs/heads/main"), both + "\npipelinesascode.tekton.dev/on-path-change: '[*.txt]'"))
                .isFalse();
        assertThat(matches(
                        push("refs/heads/main"), both + "\npipelinesascode.tekton.dev/on-path-change-ignore: 'src/*'"))
                .isFalse();
    }

    @Test
    void expressionsSeeTheEventItsFilesAndTheParams() {
        var prefix = "pipelinesascode.tekton.dev/on-cel-expression: |\n  ";
        assertThat(matches(
                        pull(), prefix + "event == \"pull_request\" && target_branch == \"main\" && body.x.y == 'z'"))
                .isTrue();
        assertThat(matches(push("refs/heads/main"), prefix + "event == 'push' && target_branch == 'main'"))
                .isTrue();
        assertThat(matches(push("refs/heads/main"), prefix + "target_branch == 'refs/heads/main'"))
                .isTrue();
        assertThat(matches(pull(), prefix + "'docs/*.md'.pathChanged() && team == 'blue' && headers['x-h'] == 'v'"))
                .isTrue();
        assertThat(matches(pull(), prefix + "files.all.exists(f, f.endsWith('.java'))"))
                .isTrue();
        assertThatThrownBy(() -> matches(pull(), prefix + "nobody == 1"))
                .hasMessageContaining("CEL expression evaluation error");
    }

    @Test
    void aWrongFormIsToldInUpstreamsWords() {
        assertThatThrownBy(() -> matches(push("refs/heads/main"), lists("[]", "main")))
                .hasMessage("annotation pipelinesascode.tekton.dev/on-event is empty");
        assertThatThrownBy(() -> matches(push("refs/heads/main"), lists("push now", "main")))
                .hasMessageContaining("annotations in pipeline are in wrong format");
    }

    @Test
    void aGlobThatExplodesElsewhereIsQuick() {
        assertThat(EventGlobs.matches("*a".repeat(400) + "b", "a".repeat(5000))).isFalse();
        assertThatThrownBy(() -> EventGlobs.matches("{a,b}".repeat(100), "a"))
                .hasMessageContaining("too many alternatives");
        assertThatThrownBy(() -> EventGlobs.matches("[a", "a")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void expressionsThatExplodeAreGivenUp() {
        var body = Json.Obj.of("items", Json.Arr.ofStrings(Collections.nCopies(2000, "x")));
        var event = GitEvent.of(GitEvent.Forge.GITHUB, body, Map.of());
        event.base = "refs/heads/main";
        event.head = event.base;
        var explosion = "body.items.all(a, body.items.all(b, body.items.all(c, a == b && b == c)))";
        assertThatThrownBy(() ->
                        matches(event.build(), "pipelinesascode.tekton.dev/on-cel-expression: '" + explosion + "'"))
                .hasMessageContaining("takes too many steps");
        var places = new Placeholders(event.build(), () -> FILES, Map.of());
        assertThat(places.fill("{{ cel: " + explosion + " }}")).isEmpty();
        var many = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            many.append("{{ cel: ").append(explosion).append(" ? ").append(i).append(" : 0 }}");
        }
        assertThatThrownBy(() -> places.fill(many.toString()))
                .hasMessage("the expressions in .tekton take too many steps together");
    }

    @Test
    void moreExpressionsThanAnybodyWritesAreRefused() {
        var places = new Placeholders(pull(), () -> FILES, Map.of());
        assertThat(places.fill("{{ body.n }}".repeat(100_000))).isEqualTo("3".repeat(100_000));
        var many = new StringBuilder();
        for (int i = 0; i < 1001; i++) {
            many.append("{{ cel: ").append(i).append(" }}");
        }
        assertThatThrownBy(() -> places.fill(many.toString()))
                .hasMessage("the files in .tekton hold more than 1000 different expressions");
    }

    @Test
    void bracketsThatNeverCloseAreTextAndQuick() {
        var places = new Placeholders(pull(), () -> FILES, Map.of("a", "b"));
        var open = "{{ a ".repeat(1 << 18);
        assertThat(places.fill(open)).isEqualTo(open);
        assertThat(places.fill(open.substring(0, 20) + "} {{a}} {{ a }}"))
                .isEqualTo(open.substring(0, 20) + "} {{a}} b");
    }

    @Test
    void aLongTextInAnExpressionIsAText() {
        assertThat(EventExpressions.isAboutLabels("event_title == '" + "labels \\' .labels".repeat(20_000) + "'"))
                .isFalse();
        assertThat(EventExpressions.isAboutLabels("body.labels.exists(x, x == '" + "y".repeat(200_000) + "')"))
                .isTrue();
    }

    @Test
    void placeholdersAreFilledAndUnknownOnesStay() {
        var text =
                "{{ revision }} {{body.x.y}} {{ body.n }} {{ headers['x-h'] }} {{ cel: pac.revision + '!' }} {{ cel: nope }} {{ unknown }} {{ files.added }}";
        assertThat(new Placeholders(pull(), () -> FILES, Map.of("revision", "$1 c0ffee")).fill(text))
                .isEqualTo("$1 c0ffee z 3 v $1 c0ffee!  {{ unknown }} [\"docs/a/b.md\"]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "/test            | test-all-comment    | -",
                "/test build      | test-comment        | build",
                "/retest          | retest-all-comment  | -",
                "/cancel build    | cancel-comment      | build",
                "/ok-to-test abc1234  | ok-to-test-comment  | -",
                "please /test     | no-ops-comment      | -",
            })
    void commentsAskForThings(String comment, String type, String name) {
        var asked = OpsComment.of("hello\n" + comment + "\n");
        assertThat(asked.type()).isEqualTo(type);
        assertThat(asked.name().orElse(null)).isEqualTo(name);
    }

    @Test
    void forgesAreKnownByTheirHeaders() throws Exception {
        assertThat(Payloads.forge(Map.of("x-github-event", "push", "x-gitea-event-type", "push")))
                .contains(GitEvent.Forge.GITEA);
        assertThat(Payloads.forge(Map.of("x-gitlab-event", "Push Hook"))).contains(GitEvent.Forge.GITLAB);
        var merge = JsonText.parseObject("""
                {"project": {"web_url": "https://g/t/a", "path_with_namespace": "t/s/a"}, "user": {"username": "u"},
                 "object_attributes": {"action": "open", "iid": 4, "source_branch": "f", "target_branch": "main",
                  "last_commit": {"id": "abc"}}}""");
        var event = Payloads.read(GitEvent.Forge.GITLAB, merge, Map.of("x-gitlab-event", "Merge Request Hook"));
        assertThat(List.of(event.owner(), event.name(), event.sha(), event.base(), event.target()))
                .containsExactly("t/s", "a", "abc", "main", "pull_request");
    }

    @Test
    void tasksAndPipelinesBecomePartOfTheRun() throws Exception {
        var files = TektonFiles.read(Map.of("a.yaml", """
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: r}
                spec: {pipelineRef: {name: p}}
                ---
                apiVersion: tekton.dev/v1
                kind: Pipeline
                metadata: {name: p}
                spec: {tasks: [{name: a, taskRef: {name: t}}, {name: b, taskRef: {resolver: git}}]}
                ---
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: t}
                spec: {steps: [{name: s, image: i}]}
                """, "bad.yaml", "a: [b"));
        assertThat(files.problems()).hasSize(1);
        var run = new Inlining(files, (_, _) -> "").of(files.runs().getFirst());
        assertThat(run.object("spec").has("pipelineRef")).isFalse();
        assertThat(run.objects("spec", "pipelineSpec", "tasks").getFirst().objects("taskSpec", "steps"))
                .hasSize(1);
        assertThat(run.objects("spec", "pipelineSpec", "tasks").getLast().string("taskRef", "resolver"))
                .isEqualTo("git");
        var other = (Json.Obj) YamlText.parse("spec: {pipelineSpec: {tasks: [{name: a, taskRef: {name: nowhere}}]}}");
        assertThatThrownBy(() -> new Inlining(files, (_, _) -> "").of(other))
                .hasMessage(
                        "cannot find referenced task nowhere. if it's a remote task make sure to add it in the annotations");
    }
}
