package dev.towtank.controllers.pipelinesascode.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.events.OpsComment;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What upstream's own tables say about matching.
class MatchingFactsTest {

    /// @param annotations as `name=value`, with semicolons between them
    private static boolean matches(GitEvent event, List<String> files, String annotations) {
        var all = Json.Obj.builder();
        for (var each : annotations.split(";(?=[a-z-]+=)", -1)) {
            var pair = each.strip().split("=", 2);
            if (pair.length == 2) {
                all.put("pipelinesascode.tekton.dev/" + pair[0], pair[1]);
            }
        }
        var run = Json.Obj.of("metadata", Json.Obj.of("name", Json.of("r"), "annotations", all.build()));
        var changed = new ChangedFiles(files, List.of(), List.of(), List.of());
        return new Matching(
                        event,
                        () -> changed,
                        Map.of("test_enabled", "true", "event", "bad", "target_namespace", "here"))
                .matches(run);
    }

    private static GitEvent event(String target, String base, String head) {
        var event =
                GitEvent.of(GitEvent.Forge.GITHUB, JsonText.parseObject("{\"foo\": \"bar\"}"), Map.of("foo", "bar"));
        event.target = target;
        event.type = target;
        event.base = base;
        event.head = head;
        event.title = "[UPSTREAM] test me cause i'm famous";
        event.shaTitle = event.title;
        return event.build();
    }

    @ParameterizedTest(name = "{0} {1} {3}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "pull_request | main | ~~ | on-event=[pull_request];on-target-branch=[main];target-namespace=here | true",
                "pull_request | main | ~~ | on-event=[pull_request];on-target-branch=[main];target-namespace=there | false",
                "pull_request | main | ~~ | on-cel-expression=event == \"pull_request\" && target_branch == \"main\" && source_branch == \"unittests\" | true",
                "pull_request | main | ~~ | on-cel-expression=body.foo == 'bar' | true",
                "pull_request | main | ~~ | on-cel-expression=headers['foo'] == 'bar' | true",
                "pull_request | main | .tekton/pull_request.yaml | on-cel-expression=\".tekton/*yaml\".pathChanged() | true",
                "pull_request | main | .tekton/pull_request.yaml | on-cel-expression=\".tekton/pull_request.yaml\".pathChanged() | true",
                "pull_request | main | .tekton/foo.json | on-cel-expression=\".tekton/*yaml\".pathChanged() | false",
                "pull_request | main | ~~ | on-cel-expression=event_title.startsWith(\"[UPSTREAM]\") | true",
                "push | main | ~~ | on-cel-expression=event_title.startsWith(\"[UPSTREAM]\") | true",
                "pull_request | main | ~~ | on-cel-expression=event_title.startsWith(\"[DOWNSTREAM]\") | false",
                "push | refs/heads/main | .tekton/push.yaml | on-cel-expression=event == \"push\" && target_branch == \"main\" && \".tekton/*yaml\".pathChanged() | true",
                "pull_request | main | src/added.go | on-cel-expression=files.all.exists(x, x.matches(\"added.go\")) | true",
                "pull_request | main | src/added.go | on-cel-expression=files.all.exists(x, x.matches(\"notmatch.go\")) | false",
                "pull_request | main | src/added.go | on-cel-expression=files.added.exists(x, x.matches(\"added.go\")) && files.deleted.size() == 0 | true",
                "push | main | ~~ | on-cel-expression=test_enabled == \"true\" | true",
                "push | main | ~~ | on-cel-expression=test_enabled == \"false\" | false",
                "push | main | ~~ | on-cel-expression=event == \"push\" | true",
                "pull_request | main | ~~ | on-event=[pull_request];on-target-branch=[main];on-cel-expression=event == \"push\" | false",
                "pull_request | main | doc/gen,foo,bar.md | on-event=[pull_request];on-target-branch=main;on-path-change=[doc/gen&#44;*] | true",
                "pull_request | main | foo/generated/gen.md | on-event=[pull_request];on-target-branch=main;on-path-change=[doc/***] | false",
                "pull_request | main | doc/generated/gen.md | on-event=[pull_request];on-target-branch=main;on-path-change=[doc/***];on-path-change-ignore=[doc/generated/*] | false",
                "pull_request | main | doc/added.md | on-event=[pull_request];on-target-branch=main;on-path-change=[doc/***];on-path-change-ignore=[doc/generated/*] | true",
                "pull_request | main | .tekton/pull_request.yaml | on-event=[pull_request];on-target-branch=main;on-path-change-ignore=[doc/*md] | true",
                "pull_request | main | .tekton/pull_request.yaml | on-event=[pull_request];on-target-branch=main;on-path-change=[.tekton/*yaml] | true",
                "pull_request | main | .tekton/pull_request.yaml | on-event=[push];on-target-branch=main;on-path-change=[.tekton/*yaml] | false",
                "pull_request | main | ~~ | on-event=[pull_request] | false",
                "pull_request | main | ~~ | on-event=;on-target-branch= | false",
                "pull_request | main | ~~ | max-keep-runs=2 | false",
                "push | main | ~~ | on-event=[pull_request];on-target-branch=[main] | false",
                "pull_request | other | ~~ | on-event=[pull_request];on-target-branch=[main] | false",
                "pull_request | main | ~~ | on-event=pull_request;on-target-branch=[main] | true",
                "pull_request | main | ~~ | on-event=[pull_request];on-target-branch=main | true",
                "push | refs/heads/main | ~~ | on-event=[push];on-target-branch=[main] | true",
                "push | refs/heads/main/foobar | ~~ | on-event=[push];on-target-branch=[main] | false",
                "push | refs/heads/main | ~~ | on-event=[push];on-target-branch=[refs/heads/*] | true",
                "pull_request | main | ~~ | on-event=[pull_request,push];on-target-branch=[refs/heads/*] | true",
                "pull_request | release-0.1 | ~~ | on-event=[pull_request];on-target-branch=[refs/heads/release-*] | true",
                "pull_request | main | ~~ | on-event=[pull_request];on-target-branch=[refs/heads/release-*] | false",
                "pull_request | refs/heads/main | ~~ | on-event=[pull_request];on-target-branch=[main] | true",
                "push | refs/heads/someothername/then/main | ~~ | on-event=[push];on-target-branch=[main] | false",
                "pull_request | someothername/then/main | ~~ | on-event=[pull_request];on-target-branch=[main] | false",
                "push | refs/heads/test/main | ~~ | on-event=[pull_request, push];on-target-branch=[test/main] | true",
                "pull_request | refs/heads/test/main | ~~ | on-event=[pull_request, push];on-target-branch=[test/main] | true",
            })
    void runsMatchAsTheyDoUpstream(String target, String base, String file, String annotations, boolean expected) {
        var files = file.isEmpty() ? List.<String>of() : List.of(file);
        assertThat(matches(event(target, base, "unittests"), files, annotations))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "main, main, true",
        "refs/heads/main, main, true",
        "main, refs/heads/main, true",
        "refs/heads/main, refs/heads/main, true",
        "refs/tags/v0.20.0, main, false",
        "main, refs/tags/*, false",
        "refs/tags/v0.20.0, refs/heads/main, false",
        "refs/heads/main, refs/tags/*, false",
        "refs/tags/v0.20.0, refs/tags/*, true",
        "main, test, false",
        "refs/heads/foo/test, test, false",
        "test, refs/heads/foo/test, false",
        "refs/heads/bar/test, refs/heads/foo/test, false",
        "refs/tags/v0.20.0, refs/tags/v0.19.0, false",
        "refs/heads/main, refs/heads/mains, false",
    })
    void branchesMatchAsTheyDoUpstream(String base, String pattern, boolean expected) {
        assertThat(matches(event("push", base, base), List.of(), "on-event=push;on-target-branch=" + pattern))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "foo            | foo",
                "[foo]          | foo",
                "[foo&#44;,bar] | foo,;bar",
                "foo&#44;bar    | foo,bar",
                "[foo, bar]     | foo;bar",
            })
    void listsAreReadAsTheyAreUpstream(String annotation, String values) {
        assertThat(Annotations.values(annotation)).containsExactlyElementsOf(Arrays.asList(values.split(";", -1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"foo, bar", "foo]", "[]"})
    void listsThatAreWrongAreRefused(String annotation) {
        assertThatThrownBy(() -> matches(
                        event("push", "main", "main"), List.of(), "on-event=" + annotation + ";on-target-branch=main"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "event_type == \"pull_request_labeled\" | true",
                "event == \"pull_request\" && event_type == \"pull_request_labeled\" | true",
                "body.pull_request.labels.exists(x, x.name == \"bug\") | true",
                "body.labels.exists(x, x.title == \"bug\") | true",
                "body.pull_request.labels.size() > 0 | true",
                "event == \"pull_request\" | false",
                "event == \"pull_request\" && target_branch == \"main\" | false",
                "event == \"pull_request\" && event_title == \"fix-label-issue\" | false",
                "body.pull_request.title == \"Add labels support\" | false",
                "event_title == \"labels\" | false",
                "event_title.contains(\"labels\") | false",
                "body.pull_request.head.label == \"feature-branch\" | false",
                "event == \"pull_request\" && files.all.exists(x, x.matches(\"docs/\")) | false",
                "body.pull_request.labels.filter(x, x.name.startsWith(\"kind/\")).size() > 0 | true",
                "body[\"labels\"].size() > 0 | true",
                "body[\"pull_request\"][\"labels\"].size() > 0 | true",
                "body.pull_request[\"labels\"].size() > 0 | true",
                "body.labels.size() > 0 ? true : false | true",
                "event == \"push\" ? 0 : body.labels.size() | true",
                "event == \"pull_request\" ? \"pr\" : \"other\" | false",
                "this is not valid CEL | false",
            })
    void aNewLabelIsForThoseWhoAskForLabels(String expression, boolean expected) {
        assertThat(EventExpressions.isAboutLabels(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "main, main, true",
        "my-feature-branch, feature, false",
        "feature/new-ui, feature/*, true",
        "test/release/v1.0, release*, false",
        "feature/my-branch, *feature*, true",
        "any-branch-name, *, true",
        "v1, v?, true",
        "JIRA-123/feature, [A-Z]*-[0-9]*/*, true",
        "dev/testing, '{dev,staging,prod}/*', true",
        "v1.0, v1.0, true",
        "v1x0, v1.0, false",
        "release-1.2.3, release-*.*.*, true",
        "feature/JIRA-123_fix-bug.v1, feature/JIRA-*_*, true",
        "tags/v1.2.3, tags/v*.*.*, true",
    })
    void targetsOfIncomingCallsMatchAsTheyDoUpstream(String branch, String target, boolean expected) {
        assertThat(EventGlobs.matches(target, branch)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "incoming, pr1, pr1, true",
        "incoming, pr1-, pr1-, true",
        "incoming, pr1, pr1-, true",
        "incoming, pr1, pr3, false",
    })
    void anIncomingCallStartsWhatItNames(String type, String wanted, String name, boolean expected) {
        var event = event("push", "main", "main").change();
        event.type = type;
        event.wanted = Optional.of(wanted);
        var run = JsonText.parseObject("""
                {"metadata": {"%s": "%s", "annotations": {"pipelinesascode.tekton.dev/on-event": "[incoming]",
                 "pipelinesascode.tekton.dev/on-target-branch": "main"}}}""".formatted(name.endsWith("-") ? "generateName" : "name", name));
        assertThat(new Matching(event.build(), () -> ChangedFiles.NONE, Map.of()).matches(run))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "task=[http://remote.task]                                    | http://remote.task",
                "task=[http://remote.task];taska=[http://other.task]          | http://remote.task",
                "task=[http://remote.task];task-1=[http://other.task]         | http://remote.task;http://other.task",
                "task-5=[http://remote.task];task-1=[http://other.task]       | http://remote.task;http://other.task",
                "task-1=[http://other.task, http://remote.task]               | http://other.task;http://remote.task",
            })
    void remoteTasksAreThoseThatUpstreamReads(String annotations, String places) throws Exception {
        assertThat(asked(annotations)).containsExactlyInAnyOrder(places.split(";", -1));
    }

    @Test
    void remotePlacesInTheWrongFormAreRefused() {
        assertThatThrownBy(() -> asked("task=[http://remote.task"))
                .hasMessage("annotations in pipeline are in wrong format: [http://remote.task");
        assertThatThrownBy(() -> asked("pipeline=[http://other.task, http://remote.task]"))
                .hasMessageContaining("only one pipeline is allowed on remote resolution");
        assertThatThrownBy(() -> asked("pipeline-1=[http://other.task]"))
                .hasMessageContaining("cannot find referenced pipeline p");
    }

    /// The places of tasks that are read for a run with these annotations.
    private static List<String> asked(String annotations) throws Exception {
        var all = Json.Obj.builder();
        for (var each : annotations.split(";(?=[a-z-]+[0-9]*=)", -1)) {
            var pair = each.split("=", 2);
            all.put("pipelinesascode.tekton.dev/" + pair[0], pair[1]);
        }
        var run = JsonText.parseObject(
                annotations.startsWith("pipeline")
                        ? "{\"spec\": {\"pipelineRef\": {\"name\": \"p\"}}}"
                        : "{\"spec\": {\"pipelineSpec\": {\"tasks\": []}}}");
        var places = new ArrayList<String>();
        new Inlining(TektonFiles.read(Map.of()), (place, _) -> {
                    places.add(place);
                    return "{apiVersion: tekton.dev/v1, kind: Task, metadata: {name: t" + places.size() + "}}";
                })
                .of(run.with(List.of("metadata", "annotations"), all.build()));
        return places;
    }

    @Test
    void commentsAndLabelsAreForThoseWhoNameThem() {
        var comment = event("pull_request", "main", "x").change();
        comment.type = OpsComment.ON_COMMENT;
        comment.comment = "   /hello-world   \r\n";
        var lists = "on-event=[pull_request];on-target-branch=[main]";
        assertThat(matches(comment.build(), List.of(), "on-comment=^/hello-world$"))
                .isTrue();
        assertThat(matches(comment.build(), List.of(), lists)).isFalse();
        comment.comment = "good morning";
        assertThat(matches(comment.build(), List.of(), "on-comment=^/hello-world$"))
                .isFalse();

        var labelled = event("pull_request", "main", "x").change();
        labelled.labels = List.of("bug", "documentation");
        assertThat(matches(labelled.build(), List.of(), lists + ";on-label=[bug]"))
                .isTrue();
        assertThat(matches(labelled.build(), List.of(), lists + ";on-label=[feature]"))
                .isFalse();
        labelled.type = GitEvent.LABELED;
        assertThat(matches(labelled.build(), List.of(), lists)).isFalse();
        assertThat(matches(labelled.build(), List.of(), lists + ";on-label=[bug]"))
                .isTrue();
    }

    @Test
    void whoSaysItTwiceIsWarned() {
        var run = JsonText.parseObject("""
                {"metadata": {"name": "r", "annotations": {"pipelinesascode.tekton.dev/on-event": "[push]",
                 "pipelinesascode.tekton.dev/on-target-branch": "main", "pipelinesascode.tekton.dev/on-cel-expression": "true"}}}""");
        assertThat(Matching.warning(run))
                .isEqualTo("Warning: The PipelineRun 'r' has 'on-cel-expression' defined along with [on-event,"
                        + " on-target-branch] annotation(s). The 'on-cel-expression' will take precedence and these"
                        + " annotations will be ignored");
    }
}
