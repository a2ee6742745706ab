package dev.towtank.controllers.pipelinesascode.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What Gitea and Forgejo say otherwise than GitHub, and what all three are asked alike.
class GiteaTest extends EventWorkCase {

    private static final String REPOSITORY = "/api/v1/repos/team/app";

    @BeforeEach
    void fill() {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        forge.answers.put("/api/v1/user", "{\"login\": \"towtank\"}");
    }

    @Test
    void onlyTheTreeBelowTektonIsAskedFor() throws Exception {
        sent(
                repository("forgejo", "settings: {forgejo: {user_agent: known to the door}},"),
                "x-forgejo-event-type",
                "push",
                push(""));
        assertThat(runs()).hasSize(1);
        assertThat(forge.asked)
                .anySatisfy(line -> assertThat(line).startsWith(REPOSITORY + "/git/trees/c0ffee "))
                .anySatisfy(line -> assertThat(line).startsWith(REPOSITORY + "/git/trees/d1rec70ry?recursive=true"))
                .allSatisfy(line -> assertThat(line).endsWith("known to the door"));
    }

    @Test
    void aRepositoryWithoutTektonSaysSo() {
        forge.answers.put(
                REPOSITORY + "/git/trees/c0ffee", "{\"tree\": [{\"path\": \".tekton\", \"type\": \"blob\"}]}");
        assertThatThrownBy(() -> sent(repository("gitea", ""), "x-gitea-event-type", "push", push("")))
                .hasMessageContaining(".tekton has been found but is not a directory");
        forge.answers.put(REPOSITORY + "/git/trees/c0ffee", "{\"tree\": []}");
        assertThatThrownBy(() -> sent(repository("gitea", ""), "x-gitea-event-type", "push", push("")))
                .hasMessageContaining("there is no .tekton directory");
        forge.answers.remove(REPOSITORY + "/git/trees/c0ffee");
        forge.with(".tekton/run.yaml", "{apiVersion: tekton.dev/v1, kind: Task, metadata: {name: a}}");
        assertThatThrownBy(() -> sent(repository("gitea", ""), "x-gitea-event-type", "push", push("")))
                .hasMessageContaining("could not find any PipelineRun in your .tekton/ directory");
    }

    @Test
    void filesOfAPushWithoutCommitsAreThoseOfItsCommit() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ", pipelinesascode.tekton.dev/on-path-change: 'src/*'"));
        forge.answers.put(
                REPOSITORY + "/git/commits/c0ffee",
                "{\"files\": [{\"filename\": \"src/a\", \"status\": \"changed\"}]}");
        var body = push("").replace("{\"added\":[\"a.txt\"],\"modified\":[],\"removed\":[]}", "");
        sent(repository("gitea", ""), "x-gitea-event-type", "push", body);
        assertThat(runs()).hasSize(1);
    }

    @Test
    void theCommitOfAPullRequestMaySkipAllAndItsTitleMayNot() throws Exception {
        forge.answers.put(
                REPOSITORY + "/git/commits/feed1",
                "{\"html_url\": \"https://c\", \"commit\": {\"message\": \"words\\n\\n[ci skip]\"}}");
        assertThat(sent(repository("gitea", ""), "x-gitea-event-type", "pull_request", pull("alice")))
                .containsExactly("the commit asks to be skipped");
        forge.answers.put(
                REPOSITORY + "/git/commits/feed1", "{\"html_url\": \"https://c\", \"message\": \"words\\n\\nmore\"}");
        sent(
                repository("gitea", ""),
                "x-gitea-event-type",
                "pull_request",
                pull("alice").replace("\"title\":\"t\"", "\"title\":\"[ci skip]\""));
        assertThat(annotation(runs().getFirst(), "sha-title")).isEqualTo("words");
        assertThat(annotation(runs().getFirst(), "sha-url")).isEqualTo("https://c");
    }

    @Test
    void commentsOfOthersAreNotOverwritten() throws Exception {
        var repository = repository("gitea", "settings: {forgejo: {comment_strategy: update}},");
        sent(repository, "x-gitea-event-type", "pull_request", pull("alice"));
        var run = runs().getFirst();
        var ended = run.with(
                run.json().with("status", YamlText.parse("{conditions: [{type: Succeeded, status: 'True'}]}")));
        var comments = new ArrayList<String>();
        for (int i = 0; i < 60; i++) {
            comments.add("{\"id\": " + i + ", \"body\": \"hello\", \"user\": {\"login\": \"bob\"}}");
        }
        comments.add("{\"id\": 98, \"body\": \"<!-- pac-status-build -->\", \"user\": {\"login\": \"mallory\"}}");
        comments.add("{\"id\": 99, \"body\": \"<!-- pac-status-build -->\", \"user\": {\"login\": \"towtank\"}}");
        forge.answers.put(REPOSITORY + "/issues/7/comments", comments.toString());
        new Reporting(configuration(), PodAccess.NONE, all(PacKinds.TASK_RUN))
                .ended(repository, ended, new PacSettings(Map.of()), List.of());
        assertThat(forge.told.getLast()).startsWith("PATCH " + REPOSITORY + "/issues/comments/99 ");
    }

    @Test
    void whoIsToldNothingAboutMembersMayStillBeAnOwner() throws Exception {
        forge.refused.put("GET /api/v1/orgs/team/members/stranger", 403);
        assertThatThrownBy(() -> sent(repository("gitea", ""), "x-gitea-event-type", "pull_request", pull("stranger")))
                .hasMessageContaining("User stranger is not allowed");
        forge.with("OWNERS", "approvers: [stranger]");
        sent(repository("gitea", ""), "x-gitea-event-type", "pull_request", pull("stranger"));
        assertThat(runs()).hasSize(1);
    }

    @Test
    void aRunMaySayForWhichNamespaceItIs() throws Exception {
        forge.with(".tekton/run.yaml", RUN.formatted("here", ", pipelinesascode.tekton.dev/target-namespace: team"))
                .with(
                        ".tekton/other.yaml",
                        RUN.formatted("there", ", pipelinesascode.tekton.dev/target-namespace: other"));
        sent(repository("gitea", ""), "x-gitea-event-type", "push", push(""));
        assertThat(runs())
                .singleElement()
                .satisfies(run -> assertThat(annotation(run, "original-prname")).isEqualTo("here"));
    }
}
