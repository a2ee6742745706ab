package dev.towtank.controllers.pipelinesascode.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Selection;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.events.Payloads;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Secrets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// GitLab's events, and what is asked of it and told to it.
class GitLabTest extends EventWorkCase {

    private static final String PROJECT = "/api/v4/projects/group/team/app";
    private static final String OF_PROJECT = """
            "project":{"web_url":"URL","default_branch":"main","path_with_namespace":"group/team/app"}""";

    @BeforeEach
    void fill() {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        forge.answers.put("/api/v4/users", "[{\"id\": 9, \"username\": \"alice\"}]");
        forge.answers.put("/api/v4/user", "{\"username\": \"towtank\"}");
        forge.answers.put(PROJECT + "/members/all/9", "{\"id\": 9, \"access_level\": 30}");
    }

    private Resource gitLab(String more) {
        return repository("gitlab", more);
    }

    private List<String> sent(Resource repository, String type, String body)
            throws EventWork.Refused, InterruptedException {
        return sent(repository, "x-gitlab-event", type, body);
    }

    private static String pushed(String more) {
        return """
                {"object_kind":"push","ref":"refs/heads/main","after":"c0ffee","checkout_sha":"c0ffee","user_username":"alice",%s%s,
                 "commits":[{"id":"c0ffee","title":"a change","message":"a change\\n\\nwith reasons","added":["a.txt"],"modified":[],"removed":[]}]}""".formatted(OF_PROJECT, more);
    }

    /// @param attributes more of them
    private static String merge(String user, String attributes, String more) {
        return """
                {"object_kind":"merge_request","user":{"username":"%s"},%s,
                 "object_attributes":{"iid":7,"title":"t","source_branch":"new","target_branch":"main","source_project_id":55,
                  "source":{"web_url":"URL/fork"},"target":{"web_url":"URL"},%s
                  "last_commit":{"id":"feed1","message":"change it","url":"URL/-/commit/feed1"}}%s}""".formatted(user, OF_PROJECT, attributes, more);
    }

    private static String note(String user, String text, String state) {
        return """
                {"object_kind":"note","user":{"username":"%s"},%s,"object_attributes":{"note":"%s","action":"create"},
                 "merge_request":{"iid":7,"state":"%s","title":"t","source_branch":"new","target_branch":"main","source_project_id":55,
                  "source":{"web_url":"URL/fork"},"target":{"web_url":"URL"},
                  "last_commit":{"id":"feed1","message":"change it","url":"URL/-/commit/feed1"}}}""".formatted(user, OF_PROJECT, text, state);
    }

    private static String onCommit(String text) {
        return """
                {"object_kind":"note","user":{"username":"alice"},%s,"object_attributes":{"note":"%s","action":"create"},
                 "commit":{"id":"c0ffee","message":"a change","url":"URL/-/commit/c0ffee"}}""".formatted(OF_PROJECT, text);
    }

    @Test
    void aPushRunsAndItsCommitHasAStatus() throws Exception {
        sent(gitLab(""), "Push Hook", pushed(""));

        var run = runs().getFirst();
        assertThat(annotation(run, "git-provider")).isEqualTo("gitlab");
        assertThat(annotation(run, "url-org")).isEqualTo("group/team");
        assertThat(annotation(run, "sha-title")).isEqualTo("a change");
        assertThat(run.labels().get("pipelinesascode.tekton.dev/url-org")).isEqualTo("group-team");
        assertThat(forge.told)
                .singleElement()
                .asString()
                .startsWith("POST " + PROJECT + "/statuses/c0ffee ")
                .contains("\"state\":\"running\"", "\"name\":\"Pipelines as Code CI / build\"")
                .endsWith(" t0ken");
    }

    @Test
    void aTagIsTheCommitAndNotWhatIsSaidAboutIt() throws Exception {
        forge.with(
                ".tekton/run.yaml",
                RUN.formatted("build", "").replace("on-target-branch: main", "on-target-branch: refs/tags/v*"));
        var body = pushed("")
                .replace("refs/heads/main", "refs/tags/v1")
                .replace("\"after\":\"c0ffee\"", "\"after\":\"7a6\"");
        sent(gitLab(""), "Tag Push Hook", body);
        assertThat(annotation(runs().getFirst(), "sha")).isEqualTo("c0ffee");
    }

    @Test
    void aMergeRequestOfAForkIsToldWhereItComesFrom() throws Exception {
        sent(gitLab(""), "Merge Request Hook", merge("alice", "\"action\":\"open\",", ""));
        var run = runs().getFirst();
        assertThat(annotation(run, "pull-request")).isEqualTo("7");
        assertThat(annotation(run, "source-project-id")).isEqualTo("55");
        assertThat(annotation(run, "source-repo-url")).endsWith("/fork");
        assertThat(forge.told).singleElement().asString().startsWith("POST /api/v4/projects/55/statuses/feed1 ");
    }

    @Test
    void whereNoStatusMayBeWrittenAReportIsAComment() throws Exception {
        forge.refused.put("POST /api/v4/projects/55/statuses/feed1", 403);
        forge.refused.put("POST " + PROJECT + "/statuses/feed1", 404);
        var repository = gitLab("settings: {gitlab: {comment_strategy: update}},");
        assertThat(sent(repository, "Merge Request Hook", merge("alice", "\"action\":\"open\",", "")))
                .singleElement()
                .asString()
                .contains("could not be told", "403", "no, said the forge");
        var run = ended(runs().getFirst(), "False");
        forge.answers.put(
                PROJECT + "/merge_requests/7/notes",
                "[{\"id\": 1, \"body\": \"<!-- pac-status-build -->\", \"author\": {\"username\": \"mallory\"}}]");
        new Reporting(configuration(), PodAccess.NONE, all(PacKinds.TASK_RUN))
                .ended(repository, run, new PacSettings(Map.of()), List.of());
        assertThat(forge.told)
                .singleElement()
                .asString()
                .startsWith("POST " + PROJECT + "/merge_requests/7/notes ")
                .contains("<!-- pac-status-build -->", "has <b>failed</b>");

        forge.answers.put(
                PROJECT + "/merge_requests/7/notes",
                "[{\"id\": 2, \"body\": \"<!-- pac-status-build -->\", \"author\": {\"username\": \"towtank\"}}]");
        new Reporting(configuration(), PodAccess.NONE, all(PacKinds.TASK_RUN))
                .ended(repository, run, new PacSettings(Map.of()), List.of());
        assertThat(forge.told.getLast()).startsWith("PUT " + PROJECT + "/merge_requests/7/notes/2 ");
    }

    @ParameterizedTest
    @CsvSource({
        "True, Completed, success, successfully validated your commit",
        "False, Failed, failed, failed",
        "False, Cancelled, canceled, cancelled validating this commit"
    })
    void howARunEndedIsSaidInGitLabsWords(String status, String reason, String state, String said) throws Exception {
        var repository = gitLab("");
        sent(repository, "Merge Request Hook", merge("alice", "\"action\":\"open\",", ""));
        var run = ended(runs().getFirst(), status + "', reason: '" + reason);
        new Reporting(configuration(), PodAccess.NONE, all(PacKinds.TASK_RUN))
                .ended(repository, run, new PacSettings(Map.of()), List.of());
        assertThat(forge.told).hasSize(2);
        assertThat(forge.told.getLast())
                .startsWith("POST /api/v4/projects/55/statuses/feed1 ")
                .contains("\"state\":\"" + state + "\"", "\"description\":\"" + said + "\"");
    }

    @Test
    void membersMayAndGuestsWait() throws Exception {
        forge.answers.put(PROJECT + "/members/all/9", "{\"id\": 9, \"access_level\": 10}");
        var repository = gitLab("");
        assertThatThrownBy(() -> sent(repository, "Merge Request Hook", merge("alice", "\"action\":\"open\",", "")))
                .hasMessageContaining("User alice is not allowed");
        assertThat(forge.told.getLast()).contains("\"state\":\"pending\"", "waiting for an /ok-to-test");
        forge.answers.put(PROJECT + "/members/all/9", "{\"id\": 9, \"access_level\": 40}");
        sent(repository, "Note Hook", note("alice", "/ok-to-test", "opened"));
        assertThat(runs())
                .singleElement()
                .satisfies(run -> assertThat(annotation(run, "event-type")).isEqualTo("ok-to-test-comment"));
        forge.with("OWNERS", "approvers: [bob]");
        forge.answers.put("/api/v4/users", "[]");
        sent(repository, "Merge Request Hook", merge("bob", "\"action\":\"open\",", ""));
        assertThat(runs()).hasSize(2);
    }

    @Test
    void policiesNameTeamsWhichGitLabHasNot() {
        assertThatThrownBy(() -> sent(
                        gitLab("settings: {policy: {pull_request: [core]}},"),
                        "Merge Request Hook",
                        merge("alice", "\"action\":\"open\",", "")))
                .hasMessageContaining("settings.policy is for GitHub and Gitea: GitLab has no teams");
    }

    @Test
    void labelsAreEventsOfTheirOwn() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ", pipelinesascode.tekton.dev/on-label: '[urgent]'"));
        var labels = ",\"changes\":{\"labels\":{\"current\":[]}},\"labels\":[{\"title\":\"urgent\"}]";
        sent(gitLab(""), "Merge Request Hook", merge("alice", "\"action\":\"update\",", labels));
        assertThat(annotation(runs().getFirst(), "event-type")).isEqualTo("pull_request_labeled");
    }

    @Test
    void aClosedMergeRequestCancelsItsRuns() throws Exception {
        forge.with(
                ".tekton/run.yaml", RUN.formatted("build", ", pipelinesascode.tekton.dev/cancel-in-progress: 'true'"));
        var repository = gitLab("");
        sent(repository, "Merge Request Hook", merge("alice", "\"action\":\"open\",", ""));
        sent(repository, "Merge Request Hook", merge("alice", "\"action\":\"close\",", ""));
        assertThat(runs().getFirst().spec().string("status")).isEqualTo("CancelledRunFinally");
    }

    @Test
    void pathsAreThoseOfAllPages() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ", pipelinesascode.tekton.dev/on-path-change: 'src/*'"));
        forge.answers.put(
                PROJECT + "/merge_requests/7/diffs",
                "[{\"new_path\": \"src/new.c\", \"new_file\": true}, {\"new_path\": \"doc/a\", \"deleted_file\": true}]");
        sent(gitLab(""), "Merge Request Hook", merge("alice", "\"action\":\"open\",", ""));
        assertThat(runs()).hasSize(1);
        forge.answers.put(PROJECT + "/merge_requests/7/diffs", "[{\"new_path\": \"doc/a\", \"renamed_file\": true}]");
        assertThatThrownBy(() -> sent(gitLab(""), "Merge Request Hook", merge("alice", "\"action\":\"open\",", "")))
                .hasMessageContaining("cannot match the event");
    }

    @Test
    void aCommentOnACommitCountsForTheHeadOfItsBranchOrTag() throws Exception {
        assertThatThrownBy(() -> sent(gitLab(""), "Note Hook", onCommit("/test build branch:main")))
                .hasMessageContaining("provided SHA c0ffee is not the HEAD commit of the branch main");
        assertThatThrownBy(() -> sent(gitLab(""), "Note Hook", onCommit("/test build tag:v1")))
                .hasMessageContaining("provided SHA c0ffee is not the tagged commit for the tag v1");
        forge.answers.put(PROJECT + "/repository/branches/main", "{\"commit\": {\"id\": \"c0ffee\"}}");
        sent(gitLab(""), "Note Hook", onCommit("/test build branch:main"));
        assertThat(runs()).hasSize(1);
    }

    @Test
    void theCommitMaySkipAll() throws Exception {
        assertThat(sent(gitLab(""), "Push Hook", pushed("").replace("with reasons", "[skip ci]")))
                .containsExactly("the commit asks to be skipped");
        assertThat(forge.told.getLast()).contains("\"state\":\"canceled\"");
        assertThat(runs()).isEmpty();
    }

    @Test
    void theSecretForGitHasTheUserOfTheRepository() throws Exception {
        var repository = gitLab("");
        secret("team", "forge", Map.of("provider.token", "to/ken"));
        var provider = repository.spec().object("git_provider").with("user", Json.of("bot"));
        sent(
                repository.with(repository.json().with("spec", repository.spec().with("git_provider", provider))),
                "Push Hook",
                pushed(""));
        var made = cluster.list(Secrets.KIND, Selection.in(LogicalCluster.DEFAULT)).items().stream()
                .filter(each -> each.name().startsWith("pac-gitauth-"))
                .findFirst()
                .orElseThrow();
        assertThat(made.json().string("stringData", ".git-credentials")).contains("://bot:to%2Fken@127.0.0.1:");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Merge Request Hook | {'object_attributes':{'action':'update'}} | not a merge event we care about: \"update\"",
                "Merge Request Hook | {'object_attributes':{'action':'approved'}} | not a merge event we care about: \"approved\"",
                "Note Hook | {'merge_request':{'state':'closed'}} | comments on closed merge requests is not supported",
                "Note Hook | {'issue':{}} | issue comment is not coming from a pull_request",
                "Push Hook | {'after':'0000000000','ref':'refs/heads/x'} | branch refs/heads/x has been deleted, exiting",
                "Pipeline Hook | {} | skipping non supported event: event Pipeline Hook is not supported",
            })
    void whatRunsNothingIsSaid(String type, String body, String why) {
        var headers = Map.of("x-gitlab-event", type);
        var json = JsonText.parseObject(body.replace('\'', '"'));
        assertThatThrownBy(() -> Payloads.read(Payloads.forge(headers).orElseThrow(), json, headers))
                .hasMessage(why);
    }

    private static Resource ended(Resource run, String status) {
        return run.with(run.json()
                .with("status", YamlText.parse("{conditions: [{type: Succeeded, status: '" + status + "'}]}")));
    }
}
