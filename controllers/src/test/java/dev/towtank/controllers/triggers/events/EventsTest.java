package dev.towtank.controllers.triggers.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is read out of an event, and who lets it through.
class EventsTest {

    private static final String BODY = """
            {"ref": "refs/heads/main", "count": 2, "empty": null, "none": [], "quote": "a \\"b\\"",
             "commits": [{"id": "1", "added": ["x"], "modified": [], "removed": ["y"]}, {"id": "2", "added": [],
              "modified": ["z"], "removed": []}], "object": {"a": "v", "r": 333},
             "repository": {"full_name": "tektoncd/triggers"}}""";
    private static final Secrets SECRETS =
            (namespace, name, key) -> namespace.isEmpty() && name.equals("hook") && key.equals("token")
                    ? Optional.of("1234567".getBytes(StandardCharsets.UTF_8))
                    : Optional.empty();
    private static final Means MEANS = new Means(SECRETS, GitHub.NONE, Deviations.ALL, Instant.ofEpochSecond(1000));

    private static Event event(String body, Map<String, List<String>> headers) {
        return new Event("5b6e", "/hook?a=b", body, new Headers(headers), Json.Obj.of("branch", Json.of("main")));
    }

    private static Event event() {
        return event(BODY, Map.of("x-github-event", List.of("push"), "accept", List.of("a", "b")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            $(body.ref)                            | refs/heads/main
            $(.body.ref)                           | refs/heads/main
            $({.body.ref})                         | refs/heads/main
            $(body.count)                          | 2
            $(body.empty)                          | null
            $(body.none[*])                        | []
            $(body.quote)                          | a \\"b\\"
            $(body.commits[*].id)                  | ["1","2"]
            $(body.commits[0].id)                  | 1
            $(body.commits[?(@.id=='2')].modified) | ["z"]
            $(body.commits[-1].id)                 | 2
            $(body.commits[-1:].id)                | 2
            $(body.commits[:2].id)                 | ["1","2"]
            $(body.commits[0:2:2].id)              | 1
            $(body.commits[0,1].id)                | ["1","2"]
            $(body.object['a','r'])                | ["v",333]
            $(body.none[:2])                       | []
            $(body.repository)$()                  | {"full_name":"tektoncd/triggers"}
            $(body.object)                         | {"a":"v","r":333}
            $(header.x-github-EVENT)               | push
            $(header.Accept)                       | a,b
            $(extensions.branch)                   | main
            $(context.eventID)                     | 5b6e
            a-$(body.ref)-$(body.count)-z          | a-refs/heads/main-2-z
            no $( expression                       | no $( expression
            """)
    void bindingsReadEvents(String value, String expected) throws EventRefusal {
        var binding = Json.Obj.of("name", Json.of("p"), "value", Json.of(value));

        assertThat(Templates.params(List.of(binding), Json.Obj.EMPTY, event()))
                .containsExactlyEntriesOf(Map.of("p", expected));
    }

    @Test
    void aMissingValueIsTheDefaultOfTheTemplateOrAnError() throws EventRefusal {
        var binding = JsonText.parseObject("{\"name\": \"p\", \"value\": \"$(body.nothing)\"}");
        var template = JsonText.parseObject("{\"params\": [{\"name\": \"p\", \"default\": \"main\"}]}");

        assertThat(Templates.params(List.of(binding), template, event())).containsEntry("p", "main");
        assertThatThrownBy(() -> Templates.params(List.of(binding), Json.Obj.EMPTY, event()))
                .hasMessage("failed to replace JSONPath value for param p: $(body.nothing): nothing is not found");
    }

    @Test
    void templatesTakeValuesAsTextAndOneUidForAll() throws EventRefusal {
        var template = (Json.Obj) YamlText.parse("""
                resourcetemplates:
                - {a: "$(tt.params.x) $(uid)", b: $(tt.params.unknown)}
                - {c: $(uid)}
                """);

        assertThat(Templates.objects(template, Map.of("x", "$(tt.params.y)", "y", "no"), "u1", false))
                .hasToString("[{\"a\":\"$$(tt.params.y) u1\",\"b\":\"$(tt.params.unknown)\"}, {\"c\":\"u1\"}]");
    }

    @Test
    void aValueThatBreaksTheTemplateIsToldSo() {
        var template = (Json.Obj) YamlText.parse("resourcetemplates: [{a: $(tt.params.x)}]");

        assertThatThrownBy(() -> Templates.objects(template, Map.of("x", "{\"a\":1}"), "u", false))
                .hasMessageStartingWith("couldn't unmarshal json from the TriggerTemplate: ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            body.count == 2 && body.count + 1.0 == 3.0                            | true
            header.match('x-github-event', 'push')                                | true
            header.canonical('X-Github-Event')                                    | "push"
            body.ref.split('/')[2]                                                | "main"
            body.ref.truncate(4)                                                  | "refs"
            body.ref.truncate(400)                                                | "refs/heads/main"
            '1234567'.compareSecret('token', 'hook')                              | true
            'x'.compareSecret('token', 'hook')                                    | false
            '{"a": {"b": 1}}'.parseJSON().a.b                                     | 1
            'a: {b: [1, 2]}'.parseYAML().a.b[1]                                   | 2
            'https://me:it@host:1/p?a=1&a=2#f'.parseURL().query.a                 | "1,2"
            'https://me:it@host:1/p?a=1'.parseURL().auth.username                 | "me"
            'https://me:it@host:1/p?a=1'.parseURL().host                          | "host:1"
            {'z': 1, 'a': {'d': 2, 'c': 3}}.marshalJSON()                         | "{\\"a\\":{\\"c\\":3,\\"d\\":2},\\"z\\":1}"
            body.count < 3u && body.count > 1 && body.count != null               | true
            sets.contains([1, 2], [1, 6])                                         | false
            [1, 2, 3, 4].slice(1, 3)                                              | [2,3]
            math.greatest([1, 5, 3])                                              | 5
            ['a', 'b'].join(', ')                                                 | "a, b"
            body.object.marshalJSON()                                             | "{\\"a\\":\\"v\\",\\"r\\":333}"
            body.none.first()                                                     | null
            body.commits.last().id                                                | "2"
            'This is $an Invalid5String'.translate('[^a-z0-9]+', '-')             | "-his-is-an-nvalid5-tring"
            'abc'.translate('(a)(b)', '$2$1')                                     | "bac"
            'aGk='.decodeb64()                                                    | "hi"
            base64.encode(b'hi')                                                  | "aGk="
            'A'.lowerAscii() + extensions.branch + requestURL                     | "amain/hook?a=b"
            [1, 2].map(x, x * 2)                                                  | [2,4]
            """)
    void celComputesExtensions(String expression, String expected) throws EventRefusal {
        var params = Json.Obj.of(
                "overlays", Json.Arr.of(Json.Obj.of("key", Json.of("a.b"), "expression", Json.of(expression))));

        assertThat(CoreInterceptors.process("cel", event(), params, MEANS))
                .hasToString("{\"a\":{\"b\":" + expected + "}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            filter: body.count == 3               | 9 | expression body.count == 3 did not return true
            filter: body.nothing                  | 3 | error evaluating cel expression: expression "body.nothing" failed to evaluate: no such key: nothing
            filter: "'x'.compareSecret('a', 'b')" | 3 | error evaluating cel expression: expression "'x'.compareSecret('a', 'b')" failed to evaluate: failed to find secret 'b' with the key 'a' in compareSecret
            filter: body.match('a', 'b')          | 3 | error evaluating cel expression: expression "body.match('a', 'b')" failed to evaluate: failed to convert to http.Header
            filter: body.object.truncate(7)       | 3 | error evaluating cel expression: expression "body.object.truncate(7)" failed to evaluate: no such overload
            filter: true                          | 3 | failed to parse interceptor params: the param "filter" has a value of a wrong type
            filer: "true"                         | 3 | failed to parse interceptor params: the interceptor cel has no param "filer"
            """)
    void celRefuses(String params, int code, String message) {
        assertThatThrownBy(() -> CoreInterceptors.process("cel", event(), (Json.Obj) YamlText.parse(params), MEANS))
                .hasMessage(message)
                .isInstanceOfSatisfying(
                        EventRefusal.class,
                        refusal -> assertThat(refusal.code().number()).isEqualTo(code));
    }

    // The signatures are HMACs of `{}` with the secret 1234567.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            github    | X-Hub-Signature-256 | sha256=SHA256 | push  |
            github    | X-Hub-Signature-256 | sha256=00     | push  | payload signature check failed
            github    | X-Hub-Signature-256 | md5=00        | push  | unknown hash type prefix in the signature
            github    | X-Other             | none          | push  | no X-Hub-Signature-256 header set
            github    | X-Hub-Signature-256 | sha256=SHA256 | other | event type push is not allowed
            gitlab    | X-Gitlab-Token      | 1234567       |       |
            gitlab    | X-Gitlab-Token      | 1234568       |       | Invalid X-GitLab-Token
            bitbucket | X-Hub-Signature     | sha256=SHA256 |       |
            bitbucket | X-Hub-Signature     | sha256=11     |       | error validating signature: payload signature check failed
            """)
    void hostsOfCodeMustKnowTheSecret(String interceptor, String header, String value, String type, String problem)
            throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("1234567".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        var valid = HexFormat.of().formatHex(mac.doFinal("{}".getBytes(StandardCharsets.UTF_8)));
        var event =
                event("{}", Map.of("X-GitHub-Event", List.of("push"), header, List.of(value.replace("SHA256", valid))));
        var reference = Json.Obj.of("secretName", Json.of("hook"), "secretKey", Json.of("token"));
        var params = Json.Obj.of("secretRef", reference);
        var all = type == null ? params : params.with("eventTypes", Json.Arr.of(Json.of(type)));

        if (problem == null) {
            assertThat(CoreInterceptors.process(interceptor, event, all, MEANS)).isEqualTo(Json.Obj.EMPTY);
        } else {
            assertThatThrownBy(() -> CoreInterceptors.process(interceptor, event, all, MEANS))
                    .hasMessage(problem);
        }
    }

    @Test
    void githubListsTheFilesThatAPushChanges() throws EventRefusal {
        var params = JsonText.parseObject("{\"addChangedFiles\": {\"enabled\": true}}");

        assertThat(CoreInterceptors.process("github", event(), params, MEANS))
                .hasToString("{\"changed_files\":\"x,y,z\"}");
    }

    @Test
    void nothingOfAnEventIsInItsText() {
        assertThat(event()).hasToString("event 5b6e");
        assertThat(event().headers()).hasToString("2 headers");
    }
}
