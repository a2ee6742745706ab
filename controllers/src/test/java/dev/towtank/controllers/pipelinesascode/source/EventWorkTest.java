package dev.towtank.controllers.pipelinesascode.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Selection;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Secrets;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What comes of events, with a forge that is asked and told over HTTP.
class EventWorkTest extends EventWorkCase {

    @Test
    void aGitHubAppSpeaksForItselfAndWritesChecks() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        forge.answers.put(
                "/api/v3/app/installations/77/access_tokens",
                "{\"token\": \"ghs_secret\", \"expires_at\": \"2026-01-01T13:00:00Z\"}");
        var pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        var key = "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
        secret(
                "pipelines-as-code",
                "pipelines-as-code-secret",
                Map.of("github-application-id", "12345\n", "github-private-key", key));
        settings(
                "{application-name: Tow, custom-console-url: 'https://c', custom-console-url-pr-details: 'https://c/{{ namespace }}/{{ pr }}'}");

        sent(repository("", ""), "x-github-event", "push", push(",\"installation\":{\"id\":77}"));

        var run = runs().getFirst();
        assertThat(annotation(run, "installation-id")).isEqualTo("77");
        assertThat(annotation(run, "check-run-id")).isEqualTo("41");
        assertThat(annotation(run, "log-url")).isEqualTo("https://c/team/" + run.name());
        assertThat(forge.told.getFirst())
                .contains("/access_tokens {\"repositories\":[\"app\"]} Bearer ey")
                .doesNotContain("null");
        assertThat(forge.told.getLast())
                .contains(
                        "/api/v3/repos/team/app/check-runs",
                        "\"name\":\"Tow / build\"",
                        "\"status\":\"in_progress\"",
                        "\"head_sha\":\"c0ffee\"",
                        "token ghs_secret");
        var secret = cluster.list(Secrets.KIND, Selection.in(LogicalCluster.DEFAULT)).items().stream()
                .filter(each -> each.name().startsWith("pac-gitauth-"))
                .findFirst()
                .orElseThrow();
        assertThat(secret.json().string("stringData", "git-provider-token")).isEqualTo("ghs_secret");
    }

    @Test
    void anAppWithoutItsSecretIsToldSo() {
        assertThatThrownBy(
                        () -> sent(repository("", ""), "x-github-event", "push", push(",\"installation\":{\"id\":77}")))
                .hasMessageContaining("there is no Secret pipelines-as-code-secret with github-application-id");
        secret(
                "pipelines-as-code",
                "pipelines-as-code-secret",
                Map.of("github-application-id", "1", "github-private-key", "no key"));
        assertThatThrownBy(
                        () -> sent(repository("", ""), "x-github-event", "push", push(",\"installation\":{\"id\":77}")))
                .hasMessageContaining("is no RSA key in PEM")
                .hasMessageNotContaining("no key in");
    }

    @Test
    void commentsGiveValuesToParamsThatAreThereAlready() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        var repository = repository("gitea", "params: [{name: who, value: all}],");
        sent(
                repository,
                "x-gitea-event-type",
                "pull_request_comment",
                comment("alice", "/test build who=\"the one\" new=x"));
        assertThat(value(0)).isEqualTo("the one feed1");
    }

    @Test
    void paramsAreChosenByTheirFilters() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        var params = "params: [{name: who, value: pushers, filter: 'pac.event_type == \"push\"'},"
                + " {name: who, value: pullers, filter: 'pac.event_type == \"pull_request\"'},"
                + " {name: who, value: never, filter: 'pac.event_type == \"push\"'}],";
        sent(repository("gitea", params), "x-gitea-event-type", "push", push(""));
        sent(repository("gitea", params), "x-gitea-event-type", "pull_request", pull("alice"));
        assertThat(value(0)).isEqualTo("pushers c0ffee");
        assertThat(value(1)).isEqualTo("pullers feed1");
        assertThatThrownBy(() -> sent(
                        repository("gitea", "params: [{name: who, value: x, filter: 'nothing.is'}],"),
                        "x-gitea-event-type",
                        "push",
                        push("")))
                .hasMessageContaining("there is an error on the cel filter: who");
    }

    @Test
    void aStrangerWaitsForSomebodyWhoMayApprove() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        var repository = repository("gitea", "");
        assertThatThrownBy(() -> sent(repository, "x-gitea-event-type", "pull_request", pull("stranger")))
                .hasMessageContaining("User stranger is not allowed");
        assertThat(forge.told.getLast()).contains("waiting for an /ok-to-test");
        assertThatThrownBy(() -> sent(
                        repository, "x-gitea-event-type", "pull_request_comment", comment("stranger", "/ok-to-test")))
                .hasMessageContaining("User stranger is not allowed");
        assertThat(runs()).isEmpty();

        sent(repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "/ok-to-test"));
        assertThat(runs()).hasSize(1);
        assertThat(annotation(runs().getFirst(), "event-type")).isEqualTo("ok-to-test-comment");
    }

    @Test
    void ownersAndTeamsMayToo() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""))
                .with("OWNERS", "approvers: [friends]")
                .with("OWNERS_ALIASES", "aliases: {friends: [Stranger]}");
        sent(repository("gitea", ""), "x-gitea-event-type", "pull_request", pull("stranger"));
        assertThat(runs()).hasSize(1);

        var policy = "settings: {policy: {pull_request: [core], ok_to_test: []}},";
        assertThatThrownBy(() -> sent(repository("gitea", policy), "x-gitea-event-type", "pull_request", pull("alice")))
                .hasMessageContaining("User alice is not allowed");
        forge.answers.put("/api/v1/orgs/team/teams", "[{\"id\": 3, \"name\": \"core\"}]");
        forge.answers.put("/api/v1/teams/3/members/alice", "{}");
        sent(repository("gitea", policy), "x-gitea-event-type", "pull_request", pull("alice"));
        assertThat(runs()).hasSize(2);
    }

    @Test
    void anApprovalNamesItsCommitWhereThatIsWanted() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        settings("{require-ok-to-test-sha: 'true'}");
        var repository = repository("gitea", "");
        assertThatThrownBy(() ->
                        sent(repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "/ok-to-test")))
                .hasMessageContaining("needs to be followed by a SHA");
        assertThatThrownBy(() -> sent(
                        repository,
                        "x-gitea-event-type",
                        "pull_request_comment",
                        comment("alice", "/ok-to-test abcdef0")))
                .hasMessageContaining("is not a prefix of the pull request's HEAD SHA");
    }

    @Test
    void oneBrokenFileDoesNotStopTheOthers() throws Exception {
        forge.with(".tekton/a.yaml", "a: [")
                .with(".tekton/b.yaml", RUN.formatted("good", ""))
                .with(
                        ".tekton/c.yaml",
                        RUN.formatted("bad", ", pipelinesascode.tekton.dev/on-cel-expression: 'x ==='"));
        var told = sent(repository("gitea", ""), "x-gitea-event-type", "pull_request", pull("alice"));
        assertThat(runs()).hasSize(1);
        assertThat(told).anySatisfy(line -> assertThat(line).contains("bad: CEL expression evaluation error"));
        assertThat(forge.told)
                .anySatisfy(line -> assertThat(line)
                        .contains("/issues/7/comments", ".tekton/a.yaml", "There are some errors in your PipelineRun"));
    }

    @Test
    void sameNamesManyFilesAndGreedyTemplatesAreRefused() {
        forge.with(".tekton/a.yaml", RUN.formatted("one", "")).with(".tekton/b.yaml", RUN.formatted("one", ""));
        assertThatThrownBy(() -> sent(repository("gitea", ""), "x-gitea-event-type", "push", push("")))
                .hasMessageContaining("found multiple pipelinerun in .tekton with the same name: one");

        forge.with(".tekton/b.yaml", "a: " + "{{ body }}".repeat(5000));
        var large = push(",\"padding\":\"" + "x".repeat(20_000) + "\"");
        assertThatThrownBy(() -> sent(repository("gitea", ""), "x-gitea-event-type", "push", large))
                .hasMessageContaining("become too long");

        for (int i = 0; i < 1001; i++) {
            forge.with(".tekton/more-" + i + ".yaml", "");
        }
        assertThatThrownBy(() -> sent(repository("gitea", ""), "x-gitea-event-type", "push", push("")))
                .hasMessageContaining(".tekton is too large: at most 1000 files");
    }

    @Test
    void tasksOfAHubAreFoundByName() throws Exception {
        settings("{hub-url: '" + forge.address() + "'}");
        forge.answers.put(
                "/api/v1/packages/tekton-task/tekton-catalog-tasks/lint/0.2",
                "{\"data\":{\"manifestRaw\":"
                        + JsonText.write(
                                Json.of(
                                        "{apiVersion: tekton.dev/v1, kind: Task, metadata: {name: lint}, spec: {steps: [{image: x}]}}"))
                        + "}}");
        forge.with(
                ".tekton/run.yaml",
                RUN.formatted("build", ", pipelinesascode.tekton.dev/task: 'lint:0.2'")
                        .replace(
                                "{name: a, taskSpec: {steps: [{image: b, script: c}]}}",
                                "{name: a, taskRef: {name: lint}}"));
        sent(repository("gitea", ""), "x-gitea-event-type", "push", push(""));
        assertThat(runs().getFirst()
                        .spec()
                        .object("pipelineSpec")
                        .objects("tasks")
                        .getFirst()
                        .string("taskSpec", "steps"))
                .isEmpty();
        assertThat(JsonText.write(runs().getFirst().json())).contains("\"image\":\"x\"");
    }

    @Test
    void aCommentOnACommitCountsOnlyForTheHeadOfItsBranch() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        var body = """
                {"action":"created","sender":{"login":"%s"},"comment":{"commit_id":"c0ffee","body":"/test build branch:main"},
                 "repository":{"name":"app","owner":{"login":"team"},"html_url":"URL","default_branch":"main"}}""";
        var repository = repository("github", "");
        assertThatThrownBy(() -> sent(repository, "x-github-event", "commit_comment", body.formatted("alice")))
                .hasMessageContaining("provided SHA c0ffee is not the HEAD commit of the branch main");
        forge.answers.put(
                "/api/v3/repos/team/app/git/ref/heads/main", "{\"object\":{\"type\":\"commit\",\"sha\":\"c0ffee\"}}");
        assertThatThrownBy(() -> sent(repository, "x-github-event", "commit_comment", body.formatted("stranger")))
                .hasMessageContaining("User stranger is not allowed");
        sent(repository, "x-github-event", "commit_comment", body.formatted("alice"));
        assertThat(runs()).hasSize(1);
    }

    @Test
    void aPushThatAPullRequestRunsAnywayIsLeftToIt() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        forge.answers.put("/api/v3/repos/team/app/commits/c0ffee/pulls", "[{\"state\":\"open\",\"number\":7}]");
        assertThat(sent(repository("github", ""), "x-github-event", "push", push("")))
                .singleElement()
                .asString()
                .contains("is in an open pull request");
        settings("{skip-push-event-for-pr-commits: 'false'}");
        sent(repository("github", ""), "x-github-event", "push", push(""));
        assertThat(runs()).hasSize(1);
    }

    @Test
    void theGlobalRepositoryFillsGapsAndOnlyGaps() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        secret("pipelines-as-code", "shared", Map.of("provider.token", "shared-token"));
        cluster.given(PacKinds.REPOSITORY, object("""
                apiVersion: pipelinesascode.tekton.dev/v1alpha1
                kind: Repository
                metadata: {name: pipelines-as-code, namespace: pipelines-as-code}
                spec:
                  concurrency_limit: 2
                  git_provider: {type: gitea, secret: {name: shared}}
                  params: [{name: who, value: everybody}]
                """));
        sent(repository("", ""), "x-gitea-event-type", "push", push(""));
        assertThat(value(0)).isEqualTo("everybody c0ffee");
        assertThat(annotation(runs().getFirst(), "state")).isEqualTo("queued");
        assertThat(forge.told.getLast()).endsWith("token shared-token");
    }

    @Test
    void whatHasSucceededIsNotTestedAgainUnlessItIsAskedForByName() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        var repository = repository("gitea", "");
        sent(repository, "x-gitea-event-type", "pull_request", pull("alice"));
        var run = runs().getFirst();
        cluster.given(
                PacKinds.PIPELINE_RUN,
                run.with(run.json()
                        .with("status", YamlText.parse("{conditions: [{type: Succeeded, status: 'True'}]}"))));
        assertThatThrownBy(() ->
                        sent(repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "/retest")))
                .hasMessageContaining("have already succeeded");
        sent(repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "/retest build"));
        assertThat(runs()).hasSize(2);
    }

    @Test
    void cancelInProgressAndALimitDoNotGoTogether() {
        forge.with(
                ".tekton/run.yaml", RUN.formatted("build", ", pipelinesascode.tekton.dev/cancel-in-progress: 'true'"));
        assertThatThrownBy(() ->
                        sent(repository("gitea", "concurrency_limit: 1,"), "x-gitea-event-type", "push", push("")))
                .hasMessageContaining("cancel in progress is not supported with concurrency limit");
        assertThat(runs()).isEmpty();
    }

    @Test
    void whatIsInlinedIsFilledToo() throws Exception {
        forge.with(
                        ".tekton/run.yaml",
                        RUN.formatted("build", ", pipelinesascode.tekton.dev/task: 'tasks/lint.yaml'")
                                .replace(
                                        "{name: a, taskSpec: {steps: [{image: b, script: c}]}}",
                                        "{name: a, taskRef: {name: lint}}"))
                .with(
                        "tasks/lint.yaml",
                        "{apiVersion: tekton.dev/v1, kind: Task, metadata: {name: lint}, spec: {steps: [{image: x, script: 'at {{ revision }} of {{ who }}'}]}}");
        sent(repository("gitea", "params: [{name: who, value: all}],"), "x-gitea-event-type", "push", push(""));
        assertThat(JsonText.write(runs().getFirst().json())).contains("at c0ffee of all");
    }

    @Test
    void whoApprovesIsToldThatNothingRuns() throws Exception {
        var repository = repository("gitea", "");
        assertThatThrownBy(() ->
                        sent(repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "/ok-to-test")))
                .hasMessageContaining("there is no .tekton directory");
        assertThat(forge.told.getLast()).contains("/statuses/feed1", ".tekton directory not found");

        forge.with(".tekton/run.yaml", RUN.formatted("build", "").replace("[push, pull_request]", "[push]"));
        assertThatThrownBy(() ->
                        sent(repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "/ok-to-test")))
                .hasMessageContaining("cannot match the event to any pipelineruns");
        assertThat(forge.told.getLast()).contains("/statuses/feed1", "No PipelineRun matched");
    }

    @Test
    void whoJustSpeaksIsNotAnswered() throws Exception {
        forge.with(".tekton/a.yaml", "a: [").with(".tekton/b.yaml", RUN.formatted("build", ""));
        var repository = repository("gitea", "");
        assertThatThrownBy(() -> sent(
                        repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "good morning")))
                .hasMessageContaining("error decoding yaml document");
        assertThat(forge.told).isEmpty();
        forge.with(".tekton/a.yaml", RUN.formatted("build", ""));
        assertThatThrownBy(() -> sent(
                        repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "good morning")))
                .hasMessageContaining("with the same name");
        assertThat(forge.told).isEmpty();
    }

    @Test
    void ofAThousandFilesEachMayRun() throws Exception {
        for (int i = 0; i < 1000; i++) {
            forge.with(".tekton/run-" + i + ".yaml", RUN.formatted("build-" + i, ""));
        }
        var told = sent(repository("gitea", ""), "x-gitea-event-type", "push", push(""));
        assertThat(told).hasSize(1000);
        assertThat(runs()).hasSize(1000);
    }

    @Test
    void pushesOutOfOrderRunEachForItsCommit() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        var repository = repository("gitea", "");
        for (var sha : new String[] {"c0ffee3", "c0ffee1", "c0ffee2"}) {
            sent(repository, "x-gitea-event-type", "push", push("").replace("c0ffee", sha));
        }
        // Its end comes before its beginning.
        sent(repository, "x-gitea-event-type", "pull_request", pull("alice").replace("opened", "closed"));
        sent(repository, "x-gitea-event-type", "pull_request", pull("alice"));
        assertThat(runs())
                .extracting(run -> annotation(run, "sha"))
                .containsExactlyInAnyOrder("c0ffee3", "c0ffee1", "c0ffee2", "feed1");
    }

    /// What upstream's table says about what is asked for again.
    @Test
    void onlyWhatHasNotSucceededForTheCommitRunsAgain() throws Exception {
        var repository = repository("gitea", "");
        for (var name : new String[] {"a", "b", "c", "d"}) {
            forge.with(".tekton/" + name + ".yaml", RUN.formatted(name, ""));
        }
        for (var old : new String[] {"a True feed1", "b False feed1", "d True other"}) {
            var parts = old.split(" ", -1);
            cluster.given(PacKinds.PIPELINE_RUN, object("""
                    apiVersion: tekton.dev/v1
                    kind: PipelineRun
                    metadata:
                      name: old-%1$s
                      namespace: team
                      annotations: {pipelinesascode.tekton.dev/repository: app, pipelinesascode.tekton.dev/original-prname: %1$s, pipelinesascode.tekton.dev/sha: %3$s}
                    status: {conditions: [{type: Succeeded, status: '%2$s'}]}
                    """.formatted(parts[0], parts[1], parts[2])));
        }
        sent(repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "/retest"));
        assertThat(runs())
                .extracting(run -> annotation(run, "original-prname"))
                .containsExactlyInAnyOrder("a", "b", "d", "b", "c", "d");
        sent(repository, "x-gitea-event-type", "pull_request_comment", comment("alice", "/test"));
        assertThat(runs()).hasSize(10);
    }
}
