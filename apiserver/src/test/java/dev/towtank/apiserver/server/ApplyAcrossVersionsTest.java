package dev.towtank.apiserver.server;

import static dev.towtank.apiserver.server.ConversionTest.definition;
import static dev.towtank.apiserver.server.ConversionTest.link;
import static dev.towtank.apiserver.server.CustomServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Server-side apply of one object by owners who speak different versions of its kind.
class ApplyAcrossVersionsTest {

    private static final String CRD = "apiextensions.k8s.io/v1/~customresourcedefinitions/links.example.com";

    @TempDir
    private Path directory;

    private ConversionServer webhook;
    private final CustomServer server = new CustomServer();

    @BeforeEach
    void start() throws IOException {
        webhook = new ConversionServer(directory.resolve("pki"));
    }

    @AfterEach
    void close() {
        server.close();
        webhook.close();
    }

    private Json.Obj apply(String manager, String version, String spec, String query) {
        var body = new Body.Tree("application/apply-patch+yaml", YamlText.parse(link(version, "a", spec)));
        var path = "example.com/" + version + "/links/a";
        if (server.handle(Verb.PATCH, path, "fieldManager=" + manager + query, body) instanceof Answer.One one) {
            return one.object().tree();
        }
        throw new IllegalStateException("an apply answered with something else");
    }

    private Json.Obj apply(String manager, String version, String spec) {
        return apply(manager, version, spec, "");
    }

    private Json.Obj get(String version) {
        return server.get("example.com/" + version + "/links/a");
    }

    /// `manager version fields` of each owner.
    private List<String> owners() {
        return get("v1").objects("metadata", "managedFields").stream()
                .map(each -> each.string("manager") + " " + each.string("apiVersion") + " "
                        + each.object("fieldsV1", "f:spec").keys())
                .toList();
    }

    @Test
    void aFieldThatTheOtherVersionHasUnderAnotherNameConflicts() {
        server.define(definition(webhook.strategy(), "v1"));
        apply("one", "v1", "{address: 'x:80'}");
        var refusal = refused(() -> apply("two", "v2", "{port: 81}"));
        assertThat(refusal.text()).isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .spec.address");
        apply("two", "v2", "{port: 81}", "&force=true");
        assertThat(get("v1").string("spec", "address")).isEqualTo("x:81");
        assertThat(owners()).containsExactlyInAnyOrder("one example.com/v1 []", "two example.com/v2 [f:port]");
    }

    @Test
    void ownersInBothVersionsShareWhatTheyAgreeOn() {
        server.define(definition(webhook.strategy(), "v1"));
        apply("one", "v1", "{address: 'x:80', note: mine}");
        apply("two", "v2", "{host: x}");
        assertThat(owners())
                .containsExactlyInAnyOrder("one example.com/v1 [f:address, f:note]", "two example.com/v2 [f:host]");
        apply("one", "v1", "{note: mine}");
        assertThat(get("v2").object("spec")).isEqualTo(YamlText.parse("{note: mine, host: x, port: 80}"));
    }

    @Test
    void whoMovesToAnotherVersionTakesItsFieldsAlong() {
        server.define(definition(webhook.strategy(), "v1"));
        apply("one", "v1", "{address: 'x:80', note: mine}");
        apply("one", "v2", "{host: x, port: 80}");
        assertThat(get("v1").object("spec")).isEqualTo(YamlText.parse("{address: 'x:80'}"));
        assertThat(owners()).containsExactly("one example.com/v2 [f:host, f:port]");
    }

    @Test
    void applyingTheSameInBothVersionsAgainChangesNothing() {
        server.define(definition(webhook.strategy(), "v1"));
        apply("one", "v1", "{address: 'x:80'}");
        apply("two", "v2", "{host: x, port: 80}");
        var before = get("v1");
        apply("one", "v1", "{address: 'x:80'}");
        apply("two", "v2", "{host: x, port: 80}");
        assertThat(get("v1")).isEqualTo(before);
    }

    @Test
    void aPatchTakesTheFieldAwayFromItsOwnerInTheOtherVersion() {
        server.define(definition(webhook.strategy(), "v1"));
        apply("one", "v2", "{host: x, port: 80, note: mine}");
        server.patch("example.com/v1/links/a", "{spec: {address: 'y:80'}}");
        assertThat(owners())
                .containsExactlyInAnyOrder("one example.com/v2 [f:note, f:port]", "unknown example.com/v1 [f:address]");
    }

    @Test
    void withoutItsWebhookAnObjectIsNotAppliedButCanBePatched() {
        server.define(definition(webhook.strategy(), "v1"));
        apply("one", "v2", "{host: x, port: 80}");
        var owners = get("v1").array("metadata", "managedFields");
        webhook.close();
        var refusal = refused(() -> apply("two", "v1", "{note: mine}"));
        assertThat(refusal.reason()).isEqualTo(StatusError.Reason.UNKNOWN);
        assertThat(refusal.text()).startsWith("conversion webhook for example.com/v1, Kind=Link failed: Post ");
        server.patch("example.com/v1/links/a", "{spec: {address: 'y:80'}}");
        assertThat(get("v1").string("spec", "address")).isEqualTo("y:80");
        assertThat(get("v1").array("metadata", "managedFields")).isEqualTo(owners);
    }

    @Test
    void whoSpeaksAVersionThatIsGoneOwnsNothing() {
        server.define(definition(webhook.strategy(), "v1"));
        apply("one", "v2", "{host: x, port: 80}");
        server.patch(CRD, """
                spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,
                  properties: {spec: {type: object, properties: {address: {type: string}}}}}}}]}
                """);
        apply("two", "v1", "{address: 'y:80'}");
        assertThat(owners()).containsExactly("two example.com/v1 [f:address]");
    }

    @Test
    void whoSpeaksAVersionThatIsOnlyNotServedOwnsOn() {
        server.define(definition("{strategy: None}", "v1"));
        apply("one", "v2", "{note: mine}");
        server.patch(CRD, definition("{strategy: None}", "v1").replaceFirst("(name: v2\n +served: )true", "$1false"));
        var refusal = refused(() -> apply("two", "v1", "{note: other}"));
        assertThat(refusal.text()).isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .spec.note");
    }
}
