package dev.towtank.controllers.pipelinesascode.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What upstream's own tables say about runs that are ended before they are done.
class CancellationFactsTest extends EventWorkCase {

    /// @param text `name`, and in brackets what it does not share with the others
    private void given(String text) {
        var name = text.replaceFirst("\\(.*", "");
        var annotations = Json.Obj.builder()
                .put(PacKinds.PREFIX + "repository", "app")
                .put(PacKinds.PREFIX + "original-prname", "build")
                .put(PacKinds.PREFIX + "pull-request", "7")
                .put(PacKinds.PREFIX + "event-type", "pull_request")
                .put(PacKinds.PREFIX + "sha", "feed1")
                .put(PacKinds.PREFIX + "source-branch", "new")
                .build();
        var run = object("{apiVersion: tekton.dev/v1, kind: PipelineRun, metadata: {name: " + name
                        + ", namespace: team}, spec: {}}")
                .json();
        for (var pair : text.substring(name.length()).replaceAll("[()]", "").split(",", -1)) {
            var parts = pair.split("=", 2);
            switch (parts[0]) {
                case "" -> {
                    // as the others
                }
                case "done" ->
                    run = run.with(
                            "status",
                            object("{conditions: [{type: Succeeded, status: 'True'}]}")
                                    .json());
                case "spec" -> run = run.with(List.of("spec", "status"), Json.of(parts[1]));
                default -> annotations = annotations.with(PacKinds.PREFIX + parts[0], Json.of(parts[1]));
            }
        }
        cluster.given(PacKinds.PIPELINE_RUN, Resource.of(run.with(List.of("metadata", "annotations"), annotations)));
    }

    private List<String> cancelled() {
        return runs().stream()
                .filter(run -> run.spec().string("status").equals("CancelledRunFinally"))
                .map(Resource::name)
                .toList();
    }

    private static final String OF_PUSH = "(pull-request=,event-type=push,sha=c0ffee,source-branch=refs/heads/main)";

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/cancel             | a                                        | a",
                "/cancel             | a b(original-prname=lint) c(repository=other) | a b",
                "/cancel             | a(pull-request=8)                        | ''",
                "/cancel lint        | a b(original-prname=lint) c              | b",
                "/cancel build       | a b(repository=other)                    | a",
                "/cancel             | a(done) b(spec=StoppedRunFinally) c(spec=Cancelled) d(spec=CancelledRunFinally) | d",
                "/cancel             | a(spec=PipelineRunPending)               | a",
            })
    void aCommentEndsWhatItNames(String comment, String runs, String ended) throws Exception {
        for (var run : runs.split(" ", -1)) {
            given(run);
        }
        sent(repository("gitea", ""), "x-gitea-event-type", "pull_request_comment", comment("alice", comment));
        assertThat(String.join(" ", cancelled())).isEqualTo(ended);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"/cancel branch:main, 'a b'", "/cancel lint branch:main, b"})
    void aCommentOnACommitEndsWhatRunsForIt(String comment, String ended) throws Exception {
        given("a" + OF_PUSH);
        given("b" + OF_PUSH.replace(")", ",original-prname=lint)"));
        given("c" + OF_PUSH.replace("c0ffee", "other"));
        given("d");
        forge.answers.put(
                "/api/v3/repos/team/app/git/ref/heads/main", "{\"object\":{\"type\":\"commit\",\"sha\":\"c0ffee\"}}");
        sent(repository("github", ""), "x-github-event", "commit_comment", """
                {"action":"created","sender":{"login":"alice"},"comment":{"commit_id":"c0ffee","body":"%s"},
                 "repository":{"name":"app","owner":{"login":"team"},"html_url":"URL","default_branch":"main"}}""".formatted(comment));
        assertThat(String.join(" ", cancelled())).isEqualTo(ended);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "false | a(cancel-in-progress=true) b(cancel-in-progress=true)    | a b",
                "false | a(cancel-in-progress=false) b(cancel-in-progress=false)  | ''",
                "false | a b                                                      | ''",
                "true  | a(event-type=push)                                       | ''",
                "true  | a(cancel-in-progress=true) b c(cancel-in-progress=false) | a b",
                "false | a(cancel-in-progress=true) b c(cancel-in-progress=false) | a",
                "true  | a(pull-request=8) b(done)                                | ''",
            })
    void aClosedPullRequestEndsWhatNewerRunsWouldEnd(boolean always, String runs, String ended) throws Exception {
        settings("{enable-cancel-in-progress-on-pull-requests: '" + always + "'}");
        for (var run : runs.split(" ", -1)) {
            given(run);
        }
        sent(
                repository("gitea", ""),
                "x-gitea-event-type",
                "pull_request",
                pull("alice").replace("opened", "closed"));
        assertThat(String.join(" ", cancelled())).isEqualTo(ended);
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "~     | {}     | a                                              | ''",
                "true  | {}     | a b                                            | a b",
                "true  | {}     | a(done) b                                      | b",
                "true  | {}     | a(spec=Cancelled) b                            | b",
                "true  | {}     | a(original-prname=lint) b                      | b",
                "true  | {}     | a(event-type=retest-all-comment)               | a",
                "true  | {}     | a(pull-request=8) b                            | b",
                "true  | {}     | a(source-branch=other) b                       | b",
                "true  | {}     | a(source-branch=refs/heads/new)                | a",
                "~     | {enable-cancel-in-progress-on-pull-requests: 'true'} | a | a",
                "~     | {enable-cancel-in-progress-on-push: 'true'}          | a | ''",
                "false | {enable-cancel-in-progress-on-pull-requests: 'true'} | a | ''",
            })
    void aNewerRunEndsOlderOnesOfItsNameAndBranch(String said, String settings, String runs, String ended)
            throws Exception {
        settings(settings);
        for (var run : runs.split(" ", -1)) {
            given(run);
        }
        var annotation = said.equals("~") ? "" : ", pipelinesascode.tekton.dev/cancel-in-progress: '" + said + "'";
        forge.with(".tekton/run.yaml", RUN.formatted("build", annotation));
        sent(repository("gitea", ""), "x-gitea-event-type", "pull_request", pull("alice"));
        assertThat(String.join(" ", cancelled())).isEqualTo(ended);
        assertThat(runs())
                .filteredOn(run -> run.name().startsWith("build-"))
                .singleElement()
                .satisfies(run -> {
                    assertThat(run.spec().string("status")).isEmpty();
                    assertThat(run.labels().getOrDefault(PacKinds.PREFIX + "cancel-in-progress", "~"))
                            .isEqualTo(said);
                });
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({"~, true, a", "true, false, a", "false, true, ''", "~, false, ''"})
    void aPushEndsOlderOnesOfItsBranch(String said, boolean always, String ended) throws Exception {
        settings("{enable-cancel-in-progress-on-push: '" + always + "'}");
        given("a" + OF_PUSH);
        given("b" + OF_PUSH.replace("main", "other"));
        given("c");
        var annotation = said.equals("~") ? "" : ", pipelinesascode.tekton.dev/cancel-in-progress: '" + said + "'";
        forge.with(".tekton/run.yaml", RUN.formatted("build", annotation));
        sent(repository("gitea", ""), "x-gitea-event-type", "push", push(""));
        assertThat(String.join(" ", cancelled())).isEqualTo(ended);
    }

    @Test
    void whatARunDoesTwiceItIsToldOnce() throws Exception {
        given("a");
        var repository = repository("gitea", "");
        var first = sent(repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "/cancel"));
        var second = sent(repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "/cancel"));
        assertThat(first).containsExactly("cancelled PipelineRun a");
        assertThat(second).isEmpty();
    }
}
