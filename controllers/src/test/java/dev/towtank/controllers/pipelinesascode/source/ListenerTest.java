package dev.towtank.controllers.pipelinesascode.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What forges, and others who find the address, are answered.
class ListenerTest extends EventWorkCase {

    private static final String SECRET = "hush";

    private final BlockingQueue<Change.Event> events = new LinkedBlockingQueue<>();
    private EventQueue queue;
    private Listener listener;

    @BeforeEach
    void listen() {
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        queue = new EventQueue(work(), events::add);
        listener = new Listener(all(PacKinds.REPOSITORY), configuration(), queue);
    }

    @AfterEach
    void stop() {
        queue.close();
    }

    private void repository(String type) {
        repository(
                type,
                "incoming: [{type: webhook-url, targets: [main, 'rel-*'], params: [who], secret: {name: forge, key: knock}}],");
        secret("team", "forge", Map.of("provider.token", "t0ken", "webhook.secret", SECRET, "knock", "knock"));
    }

    private String answer(String method, String path, Map<String, String> headers, String body) throws Exception {
        var all = new HashMap<String, List<String>>();
        headers.forEach((name, value) -> all.put(name, List.of(value)));
        var text = body.replace("URL", forge.address() + "/team/app").getBytes(StandardCharsets.UTF_8);
        int sign = path.indexOf('?');
        var response = listener.handle(new WebRequest(
                method,
                Listener.PREFIX + (sign < 0 ? path : path.substring(0, sign)),
                sign < 0 ? "" : path.substring(sign + 1),
                all,
                new ByteArrayInputStream(text),
                Optional.empty(),
                true));
        var written = new ByteArrayOutputStream();
        response.body().writeTo(written);
        return response.status() + " " + written.toString(StandardCharsets.UTF_8);
    }

    private String hmac(String algorithm, String body) throws Exception {
        var mac = Mac.getInstance(algorithm);
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), algorithm));
        var text = body.replace("URL", forge.address() + "/team/app");
        return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String next() throws InterruptedException {
        var event = events.poll(60, TimeUnit.SECONDS);
        return event == null ? "nothing" : event.reason() + ": " + event.message();
    }

    @ParameterizedTest
    @CsvSource({
        "github, x-github-event, push, x-hub-signature-256, HmacSHA256, sha256=",
        "github, x-github-event, push, x-hub-signature, HmacSHA1, sha1=",
        "gitea, x-gitea-event-type, push, x-gitea-signature, HmacSHA256, ''",
        "forgejo, x-forgejo-event-type, push, x-forgejo-signature, HmacSHA256, ''",
    })
    void whoSignsIsHeardAndWhoForgesIsNot(
            String type, String header, String event, String signed, String algorithm, String prefix) throws Exception {
        repository(type);
        var body = push("");
        var right = Map.of(header, event, signed, prefix + hmac(algorithm, body));
        assertThat(answer("POST", "", right, body)).startsWith("202 ").contains("\"message\":\"accepted\"");
        assertThat(next()).startsWith("RepositoryPipelineRun: created PipelineRun build-");
        for (var wrong : List.of(
                Map.of(header, event),
                Map.of(header, event, signed, prefix),
                Map.of(header, event, signed, prefix + "zz"),
                Map.of(header, event, signed, hmac(algorithm, body + " ")),
                Map.of(header, event, signed, prefix + hmac(algorithm, body + " ")))) {
            assertThat(answer("POST", "", wrong, body)).startsWith("202 ");
            assertThat(next()).startsWith("RepositoryEventRefused: payload validation failed");
        }
        assertThat(runs()).hasSize(1);
    }

    @Test
    void gitLabShowsItsSecret() throws Exception {
        repository("gitlab");
        var body = """
                {"ref":"refs/heads/main","checkout_sha":"c0ffee","user_username":"alice","commits":[{"id":"c0ffee","message":"m","added":["a"]}],
                 "project":{"web_url":"URL","default_branch":"main","path_with_namespace":"team/app"}}""";
        for (var wrong : List.of("", "hus", "hush2", "HUSH")) {
            answer("POST", "", Map.of("x-gitlab-event", "Push Hook", "x-gitlab-token", wrong), body);
            assertThat(next()).startsWith("RepositoryEventRefused");
        }
        answer("POST", "", Map.of("x-gitlab-event", "Push Hook", "x-gitlab-token", SECRET), body);
        assertThat(next()).startsWith("RepositoryPipelineRun");
    }

    @Test
    void aRepositoryWithoutASecretHearsNobody() throws Exception {
        repository("gitea", "");
        var body = push("");
        answer("POST", "", Map.of("x-gitea-event-type", "push", "x-gitea-signature", hmac("HmacSHA256", body)), body);
        assertThat(next()).startsWith("RepositoryEventRefused");
    }

    @Test
    void aDeliveryThatComesAgainRunsNothing() throws Exception {
        repository("gitlab");
        var body = """
                {"ref":"refs/heads/main","checkout_sha":"c0ffee","user_username":"alice","commits":[{"id":"c0ffee","message":"m","added":["a"]}],
                 "project":{"web_url":"URL","default_branch":"main","path_with_namespace":"team/app"}}""";
        var headers = Map.of("x-gitlab-event", "Push Hook", "x-gitlab-token", SECRET, "x-gitlab-event-uuid", "one");
        assertThat(answer("POST", "", headers, body)).startsWith("202 ").doesNotContain("seen before");
        assertThat(answer("POST", "", headers, body)).startsWith("202 ").contains("seen before");
        assertThat(next()).startsWith("RepositoryPipelineRun");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET  | /live | x-nothing | a | {}  | 200 ok",
                "GET  | ''    | x-nothing | a | {}  | 200 {\"status\":200,\"message\":\"ok\"}",
                "POST | ''    | x-nothing | a | {}  | 200 {\"status\":200,\"message\":\"skipping non supported event: no supported Git provider has been detected\"}",
                "POST | ''    | x-event-key | a | {}  | 200 {\"status\":200,\"message\":\"skipping non supported event: Bitbucket is not supported\"}",
                "POST | ''    | x-github-event | push | {  | '400 '",
                "POST | ''    | x-github-event | push | {}  | 200 {\"status\":200,\"message\":\"error parsing payload the repository should not be nil\"}",
                "POST | ''    | x-github-event | release | {\"repository\":{\"name\":\"a\"}}  | 200 {\"status\":200,\"message\":\"skipping non supported event: event release is not supported\"}",
                "POST | ''    | x-github-event | repository | {\"repository\":{\"name\":\"a\"}}  | 200 {\"status\":200,\"message\":\"skipping non supported event: event repository is not supported\"}",
                "POST | ''    | x-github-event | pull_request | {\"action\":\"assigned\",\"repository\":{\"name\":\"a\"}}  | 200 {\"status\":200,\"message\":\"pull_request: unsupported action \\\"assigned\\\"\"}",
                "POST | ''    | x-github-event | issue_comment | {\"action\":\"created\",\"issue\":{},\"repository\":{\"name\":\"a\"}}  | 200 {\"status\":200,\"message\":\"issue comment is not coming from a pull_request\"}",
                "POST | ''    | x-github-event | issue_comment | {\"action\":\"created\",\"issue\":{\"state\":\"closed\",\"pull_request\":{}},\"repository\":{\"name\":\"a\"}}  | 200 {\"status\":200,\"message\":\"comments on closed pull requests is not supported\"}",
                "POST | ''    | x-github-event | check_run | {\"action\":\"rerequested\",\"repository\":{\"name\":\"a\"}}  | 200 {\"status\":200,\"message\":\"check run rerequest is only supported with github apps integration\"}",
                "POST | /incoming | x-nothing | a | {  | '400 '",
                "POST | /incoming | x-nothing | a | {\"branch\":\"main\"}  | 400 {\"status\":400,\"message\":\"missing required fields: [repository pipelinerun secret]\"}",
            })
    void whatRunsNothingIsAnsweredWithItsReason(
            String method, String path, String header, String value, String body, String answer) throws Exception {
        assertThat(answer(method, path, Map.of(header, value), body)).startsWith(answer);
        assertThat(events).isEmpty();
    }

    private static String incoming(String branch, String secret, String more) {
        return "{\"repository\":\"app\",\"branch\":\"" + branch + "\",\"pipelinerun\":\"build\",\"secret\":\"" + secret
                + "\"" + more + "}";
    }

    @Test
    void whoKnowsTheSecretStartsTheHeadOfABranch() throws Exception {
        repository("gitea");
        forge.answers.put(
                "/api/v1/repos/team/app/branches/main", "{\"commit\": {\"id\": \"feed2\", \"message\": \"newest\"}}");
        forge.answers.put("/api/v1/repos/team/app", "{\"default_branch\": \"trunk\"}");
        assertThat(answer("POST", "/incoming", Map.of(), incoming("main", "knock", ",\"params\":{\"who\":\"me\"}")))
                .startsWith("202 ");
        assertThat(next()).contains("for incoming of feed2");
        assertThat(value(0)).isEqualTo("me feed2");
        assertThat(annotation(runs().getFirst(), "sha-title")).isEqualTo("newest");
        assertThat(answer("GET", "/incoming?repository=app&branch=main&pipelinerun=build&secret=knock", Map.of(), ""))
                .startsWith("202 ");
        assertThat(next()).contains("for incoming of feed2");

        answer("POST", "/incoming", Map.of(), incoming("rel-1", "knock", ""));
        assertThat(next()).startsWith("RepositoryForgeError").endsWith("/team/app has no branch rel-1");
    }

    @Test
    void gitLabIsAskedForTheHeadOfABranchToo() throws Exception {
        repository("gitlab");
        forge.answers.put(
                "/api/v4/projects/team/app/repository/commits/main", "{\"id\": \"feed2\", \"message\": \"newest\"}");
        forge.answers.put("/api/v4/projects/team/app", "{\"default_branch\": \"trunk\"}");
        answer("POST", "/incoming", Map.of(), incoming("main", "knock", ""));
        assertThat(next()).contains("for incoming of feed2");
    }

    @Test
    void whoDoesNotLearnsNothing() throws Exception {
        repository("gitea");
        for (var body : List.of(
                incoming("main", "wrong", ""),
                incoming("other", "knock", ""),
                incoming("main", "knock", "").replace("app", "nowhere"))) {
            assertThat(answer("POST", "/incoming", Map.of(), body))
                    .isEqualTo(
                            "401 {\"status\":401,\"message\":\"the secret is wrong, or nothing may be started there\"}");
        }
        assertThat(answer("POST", "/incoming", Map.of(), incoming("main", "knock", ",\"params\":{\"x\":\"y\"}")))
                .startsWith("400 ")
                .contains("param x is not allowed in incoming webhook CR");
        settings("{towtank-incoming-compatibility: 'true'}");
        assertThat(answer("POST", "/incoming", Map.of(), incoming("main", "wrong", "")))
                .isEqualTo("200 ");
        settings("{towtank-disabled: 'true'}");
        assertThat(answer("POST", "/incoming", Map.of(), incoming("main", "knock", "")))
                .startsWith("503 ");
        assertThat(runs()).isEmpty();
    }

    /// What upstream's table says about several of them.
    @Test
    void theFirstOfSeveralWaysInIsTheOneThatCounts() throws Exception {
        secret("team", "forge", Map.of("provider.token", "t0ken", "one", "one", "two", "two"));
        for (var rules : List.of(
                "{targets: [main], secret: {name: forge, key: one}}, {targets: ['*'], secret: {name: forge, key: two}}",
                "{targets: ['*'], secret: {name: forge, key: one}}, {targets: [main], secret: {name: forge, key: two}}",
                "{targets: ['[wrong'], secret: {name: forge, key: two}}, {targets: [dev, main], secret: {name: forge, key: one}}")) {
            repository("gitea", "incoming: [" + rules + "],");
            secret("team", "forge", Map.of("provider.token", "t0ken", "one", "one", "two", "two"));
            assertThat(answer("POST", "/incoming", Map.of(), incoming("main", "two", "")))
                    .as(rules)
                    .startsWith("401");
            assertThat(answer("POST", "/incoming", Map.of(), incoming("main", "one", "")))
                    .as(rules)
                    .startsWith("202");
            next();
        }
        repository("gitea", "incoming: [{targets: [], secret: {name: forge, key: one}}],");
        secret("team", "forge", Map.of("provider.token", "t0ken", "one", "one"));
        assertThat(answer("POST", "/incoming", Map.of(), incoming("main", "one", "")))
                .startsWith("401");
    }

    /// An event that goes deeper than a stack must not take those with it that come after.
    @Test
    void eventsThatBreakOurRulesDoNotStopTheQueue() throws Exception {
        repository("gitea");
        forge.with(
                ".tekton/run.yaml",
                RUN.formatted(
                        "build",
                        ", pipelinesascode.tekton.dev/on-cel-expression: '" + "(".repeat(20_000) + "true"
                                + ")".repeat(20_000) + "'"));
        var body = push("");
        var headers = Map.of("x-gitea-event-type", "push", "x-gitea-signature", hmac("HmacSHA256", body));
        for (int i = 0; i < 8; i++) {
            answer("POST", "", headers, body);
            assertThat(next()).doesNotStartWith("RepositoryPipelineRun").isNotEqualTo("nothing");
        }
        forge.with(".tekton/run.yaml", RUN.formatted("build", ""));
        answer("POST", "", headers, body);
        assertThat(next()).startsWith("RepositoryPipelineRun: created");
    }

    @Test
    void eventsByThousandsRunOrAreToldToComeAgain() throws Exception {
        repository("gitea");
        var body = push("");
        var headers = Map.of("x-gitea-event-type", "push", "x-gitea-signature", hmac("HmacSHA256", body));
        int taken = 0;
        for (int i = 0; i < 3000; i++) {
            var answer = answer("POST", "", headers, body);
            assertThat(answer).matches("(202|503) .*");
            taken += answer.startsWith("202") ? 1 : 0;
        }
        for (int i = 0; i < taken; i++) {
            assertThat(next()).startsWith("RepositoryPipelineRun");
        }
        assertThat(runs()).hasSize(taken);
        assertThat(taken).isGreaterThanOrEqualTo(1000);
    }
}
