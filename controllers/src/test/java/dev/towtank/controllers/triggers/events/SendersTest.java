package dev.towtank.controllers.triggers.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Who may start something: what GitHub says about a sender, what Slack has signed, and which secrets count.
class SendersTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Secrets SECRETS = (namespace, name, key) -> switch (namespace + "/" + name + "/" + key) {
        case "/hook/token", "/slack/key" -> Optional.of("1234567".getBytes(StandardCharsets.UTF_8));
        case "elsewhere/hook/token" -> Optional.of("other".getBytes(StandardCharsets.UTF_8));
        default -> Optional.empty();
    };

    /// Answers by path, and remembers who was asked for what.
    private static final class Forge implements GitHub {
        private final Map<String, Json> pages = new HashMap<>();
        private final List<String> asked = new ArrayList<>();

        Forge page(String path, String json) {
            pages.put(path, JsonText.parse(json));
            return this;
        }

        @Override
        public Answer get(String host, String path, String token) {
            asked.add(host + " " + path + " " + token);
            var page = pages.get(path);
            return page == null
                    ? new Answer(404, JsonText.parse("{\"message\": \"Not Found\"}"))
                    : new Answer(200, page);
        }
    }

    private static Means means(GitHub gitHub, String... asUpstream) {
        return new Means(SECRETS, gitHub, new Deviations(Set.of(asUpstream)), NOW);
    }

    private static Event event(String type, String body, String... headers) {
        var all = new HashMap<String, List<String>>();
        all.put("X-GitHub-Event", List.of(type));
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], List.of(headers[i + 1]));
        }
        return new Event("1", "/", body, new Headers(all), Json.Obj.EMPTY);
    }

    private static Json.Obj params(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static final String OWNERS =
            "{enabled: true, checkType: TYPE, personalAccessToken: {secretName: hook, secretKey: token}}";
    private static final String PULL = """
            {"number": 7, "repository": {"full_name": "o/r", "html_url": "https://git.example.com/o/r"},
             "sender": {"login": "Ann"}}""";
    private static final String COMMENT = """
            {"issue": {"number": 7}, "comment": {"body": "TEXT"}, "repository": {"full_name": "o/r"},
             "sender": {"login": "Ann"}}""";

    private static Forge forge(String where) {
        var forge = new Forge()
                .page("/orgs/o/public_members?per_page=100&page=1", "[{\"login\": \"someone\"}]")
                .page("/repos/o/r/collaborators?per_page=100&page=1", "[{\"login\": \"someone\"}]");
        return switch (where) {
            case "org" -> forge.page("/orgs/o/public_members?per_page=100&page=1", "[{\"login\": \"Ann\"}]");
            case "repo" -> forge.page("/repos/o/r/collaborators?per_page=100&page=1", "[{\"login\": \"Ann\"}]");
            // approvers: [ann]
            case "file" -> forge.page("/repos/o/r/contents/OWNERS", "{\"content\": \"YXBwcm92ZXJzOiBbYW5uXQo=\"}");
            default -> forge;
        };
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            orgMembers,  org,     true
            orgMembers,  repo,    false
            repoMembers, repo,    true
            repoMembers, org,     false
            all,         org,     true
            all,         repo,    true
            none,        org,     false
            none,        file,    true
            orgMembers,  file,    true
            all,         nowhere, false
            """)
    void aPullRequestIsOfAnOwner(String type, String where, boolean isLet) throws EventRefusal {
        var params = Json.Obj.of("githubOwners", params(OWNERS.replace("TYPE", type)));

        if (isLet) {
            assertThat(CoreInterceptors.process("github", event("pull_request", PULL), params, means(forge(where))))
                    .isEqualTo(Json.Obj.EMPTY);
        } else {
            assertThatThrownBy(() -> CoreInterceptors.process(
                            "github", event("pull_request", PULL), params, means(forge(where))))
                    .hasMessage("owners check requirements not met");
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            /ok-to-test,             true
            looks fine\\n/ok-to-test, true
            please /ok-to-test,      false
            fine,                    false
            """)
    void aCommentOfAnOwnerHasToSayIt(String text, boolean isLet) throws EventRefusal {
        var params = Json.Obj.of("githubOwners", params(OWNERS.replace("TYPE", "orgMembers")));
        var event = event("issue_comment", COMMENT.replace("TEXT", text));

        if (isLet) {
            CoreInterceptors.process("github", event, params, means(forge("org")));
        } else {
            assertThatThrownBy(() -> CoreInterceptors.process("github", event, params, means(forge("org"))))
                    .hasMessage("owners check requirements not met");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"repository": {"full_name": "o/r"}, "sender": {"login": "a"}}               | error parsing body: pull_request body missing 'number' field
            {"number": 1, "sender": {"login": "a"}}                                      | error parsing body: payload body missing 'repository' field
            {"number": 1, "repository": {}, "sender": {"login": "a"}}                    | error parsing body: payload body missing 'repository.full_name' field
            {"number": 1, "repository": {"full_name": "o/r"}}                            | error parsing body: payload body missing 'sender' field
            {"number": 1, "repository": {"full_name": "o/../x?"}, "sender": {}}          | error parsing body: 'repository.full_name' is no name of a repository
            """)
    void whatAPullRequestLacksIsTold(String body, String problem) {
        var params = Json.Obj.of("githubOwners", params(OWNERS.replace("TYPE", "none")));

        assertThatThrownBy(
                        () -> CoreInterceptors.process("github", event("pull_request", body), params, means(forge(""))))
                .hasMessage(problem);
    }

    @Test
    void paramsMayBeSpelledInUpperCaseAndHaveNoOtherFields() throws EventRefusal {
        var event = event("pull_request", PULL);

        CoreInterceptors.process(
                "github", event, params("GithubOwners: {Enabled: true, CheckType: none}"), means(forge("file")));
        assertThatThrownBy(() -> CoreInterceptors.process(
                        "github", event, params("githubOwners: {enable: true}"), means(forge("file"))))
                .hasMessageContaining("the param \"githubOwners\" has no field \"enable\"");
    }

    @Test
    void membersAreNotAskedForWithoutAToken() {
        assertThatThrownBy(() -> CoreInterceptors.process(
                        "github",
                        event("pull_request", PULL),
                        params("githubOwners: {enabled: true, checkType: all}"),
                        means(forge("org"))))
                .hasMessage("checkType is set to check org or repo members but no personalAccessToken was supplied");
    }

    @Test
    void allPagesOfChangedFilesAreRead() throws EventRefusal {
        var many = new Json.Arr(IntStream.range(0, 100)
                .<Json>mapToObj(i -> Json.Obj.of("filename", Json.of("f" + i)))
                .toList());
        var forge = new Forge()
                .page("/repos/o/r/pulls/7/files?per_page=100&page=1", many.toString())
                .page("/repos/o/r/pulls/7/files?per_page=100&page=2", "[{\"filename\": \"last\"}]");
        var params =
                params("addChangedFiles: {enabled: true, personalAccessToken: {secretName: hook, secretKey: token}}");

        var files = CoreInterceptors.process("github", event("pull_request", PULL), params, means(forge));

        assertThat(files.string("changed_files")).startsWith("f0,f1,").endsWith(",f99,last");
        assertThat(forge.asked)
                .containsExactly(
                        " /repos/o/r/pulls/7/files?per_page=100&page=1 1234567",
                        " /repos/o/r/pulls/7/files?per_page=100&page=2 1234567");
    }

    @Test
    void ownersAndChangedFilesGoTogetherUnlessUpstreamsWayIsWanted() throws EventRefusal {
        var both = params("addChangedFiles: {enabled: true}\ngithubOwners: " + OWNERS.replace("TYPE", "all"));
        var stranger = forge("nowhere").page("/repos/o/r/pulls/7/files?per_page=100&page=1", "[{\"filename\": \"a\"}]");
        var owner = forge("repo").page("/repos/o/r/pulls/7/files?per_page=100&page=1", "[{\"filename\": \"a\"}]");

        assertThat(CoreInterceptors.process("github", event("pull_request", PULL), both, means(owner)))
                .hasToString("{\"changed_files\":\"a\"}");
        assertThatThrownBy(() -> CoreInterceptors.process("github", event("pull_request", PULL), both, means(stranger)))
                .hasMessage("owners check requirements not met");
        assertThat(CoreInterceptors.process(
                        "github", event("pull_request", PULL), both, means(stranger, Deviations.OWNERS)))
                .hasToString("{\"changed_files\":\"a\"}");
    }

    @Test
    void aTokenGoesNowhereButToWhereTheRepositoryIs() throws EventRefusal {
        var params =
                params("addChangedFiles: {enabled: true, personalAccessToken: {secretName: hook, secretKey: token}}");
        var forge = new Forge().page("/repos/o/r/pulls/7/files?per_page=100&page=1", "[]");
        var there = event("pull_request", PULL, "X-GitHub-Enterprise-Host", "git.example.com");
        var evil = event("pull_request", PULL, "X-GitHub-Enterprise-Host", "evil.example.com");

        CoreInterceptors.process("github", there, params, means(forge));

        assertThat(forge.asked).containsExactly("git.example.com /repos/o/r/pulls/7/files?per_page=100&page=1 1234567");
        assertThatThrownBy(() -> CoreInterceptors.process("github", evil, params, means(forge)))
                .hasMessageContaining("X-Github-Enterprise-Host is not where the repository");
        assertThat(forge.asked).hasSize(1);
    }

    @Test
    void formsAreNotForGitHub() {
        assertThatThrownBy(() -> CoreInterceptors.process(
                        "github",
                        event("push", "a=b", "Content-Type", "application/x-www-form-urlencoded"),
                        Json.Obj.EMPTY,
                        means(GitHub.NONE)))
                .hasMessageStartingWith("form parameter encoding not supported");
    }

    private static final String FORM = "text=main+2222&user_id=U1";

    private static Event slack(String signature, String time) {
        var headers = new Headers(Map.of(
                "Content-Type", List.of("application/x-www-form-urlencoded"),
                "X-Slack-Signature", List.of(signature),
                "X-Slack-Request-Timestamp", List.of(time)));
        return new Event("1", "/", "{\"text\":[\"main 2222\"],\"user_id\":[\"U1\"]}", headers, Json.Obj.EMPTY, FORM);
    }

    private static String signed(String time) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("1234567".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return "v0="
                + HexFormat.of().formatHex(mac.doFinal(("v0:" + time + ":" + FORM).getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void whatSlackSendsIsSignedByIt() throws Exception {
        var params = params("requestedFields: [text]\nsecretRef: {secretName: slack, secretKey: key}");
        var now = Long.toString(NOW.getEpochSecond());
        var longAgo = Long.toString(NOW.getEpochSecond() - 301);

        assertThat(CoreInterceptors.process("slack", slack(signed(now), now), params, means(GitHub.NONE)))
                .hasToString("{\"text\":[\"main 2222\"]}");
        assertThatThrownBy(() -> CoreInterceptors.process(
                        "slack", slack(signed(now).replaceFirst(".$", "x"), now), params, means(GitHub.NONE)))
                .isInstanceOf(EventRefusal.class);
        assertThatThrownBy(() -> CoreInterceptors.process("slack", slack(signed("1"), now), params, means(GitHub.NONE)))
                .hasMessage("payload signature check failed");
        assertThatThrownBy(() ->
                        CoreInterceptors.process("slack", slack(signed(longAgo), longAgo), params, means(GitHub.NONE)))
                .hasMessageStartingWith("the request is more than five minutes old");
    }

    @Test
    void withoutASigningSecretSlackIsBelievedOnlyIfUpstreamsWayIsWanted() throws EventRefusal {
        var params = params("requestedFields: [text]");

        assertThatThrownBy(() -> CoreInterceptors.process("slack", slack("any", "1"), params, means(GitHub.NONE)))
                .hasMessageStartingWith("the slack interceptor has no secretRef");
        assertThat(CoreInterceptors.process("slack", slack("any", "1"), params, means(GitHub.NONE, Deviations.SLACK)))
                .hasToString("{\"text\":[\"main 2222\"]}");
        assertThatThrownBy(() -> CoreInterceptors.process(
                        "slack", slack("any", "1"), params("requestedFields: [nowhere]"), means(GitHub.NONE, "all")))
                .hasMessage("requested field does not exists in payload: \"nowhere\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'other'.compareSecret('token', 'hook', 'elsewhere')   |                  | true
            '1234567'.compareSecret('token', 'hook', 'elsewhere') |                  | false
            '1234567'.compareSecret('token', 'hook', 'elsewhere') | secret-namespace | true
            '1234567'.compareSecret('token', 'hook')              |                  | true
            """)
    void theNamespaceOfASecretCounts(String expression, String asUpstream, boolean expected) throws EventRefusal {
        var params = Json.Obj.of(
                "overlays", Json.Arr.of(Json.Obj.of("key", Json.of("is"), "expression", Json.of(expression))));
        var means = asUpstream == null ? means(GitHub.NONE) : means(GitHub.NONE, asUpstream);

        assertThat(CoreInterceptors.process("cel", event("push", "{}"), params, means))
                .hasToString("{\"is\":" + expected + "}");
    }

    @Test
    void unknownParamsAreIgnoredOnlyIfUpstreamsWayIsWanted() throws EventRefusal {
        var params = params("filer: 'false'");

        assertThatThrownBy(() -> CoreInterceptors.process("cel", event("push", "{}"), params, means(GitHub.NONE)))
                .hasMessageContaining("has no param \"filer\"");
        assertThat(CoreInterceptors.process("cel", event("push", "{}"), params, means(GitHub.NONE, Deviations.PARAMS)))
                .isEqualTo(Json.Obj.EMPTY);
    }
}
