package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.audit.AuditEvent;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What requests over the network leave in the audit log.
class AuditTest {

    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private AuditEvent event() throws InterruptedException {
        var event = server.fake.audited.poll(120, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return event;
    }

    @Test
    void tellsWhoAskedForWhatAndFromWhere() throws Exception {
        var response = server.get("/api/v1/namespaces/default/pods/web?pretty=true", "User-Agent", "tester/1");
        var event = event();
        assertThat(event.id())
                .isEqualTo(response.headers().firstValue("Audit-Id").orElseThrow());
        assertThat(event.who().user().orElseThrow().name()).isEqualTo("admin");
        assertThat(event.who().impersonated()).isEmpty();
        assertThat(event.verb()).isEqualTo("get");
        assertThat(event.target().name()).isEqualTo("web");
        assertThat(event.origin())
                .isEqualTo(new AuditEvent.Origin(
                        "/api/v1/namespaces/default/pods/web?pretty=true", "127.0.0.1", "tester/1"));
        assertThat(event.outcome()).isEqualTo(new AuditEvent.Outcome(200, null));
    }

    @Test
    void tellsWhoTheyActAs() throws Exception {
        server.get("/api/v1/namespaces/default/pods/web", "Impersonate-User", "jane");
        var who = event().who();
        assertThat(who.user().orElseThrow().name()).isEqualTo("admin");
        assertThat(who.impersonated().orElseThrow().name()).isEqualTo("jane");
    }

    @Test
    void tellsWhoMayNotActAsAnother() throws Exception {
        server.send(server.request("/api/v1/pods")
                .setHeader("Authorization", "Bearer nobody")
                .header("Impersonate-User", "jane"));
        var event = event();
        assertThat(event.who().user().orElseThrow().name()).isEqualTo("nobody");
        assertThat(event.who().impersonated()).isEmpty();
        assertThat(event.outcome().code()).isEqualTo(403);
    }

    @Test
    void tellsOfWrongCredentialsWithoutRepeatingThem() throws Exception {
        server.send(server.request("/api/v1/pods").setHeader("Authorization", "Bearer wrong-token"));
        var event = event();
        assertThat(event.who()).isEqualTo(AuditEvent.Who.UNKNOWN);
        assertThat(event.outcome().code()).isEqualTo(401);
        assertThat(event.toString()).doesNotContain("wrong-token");
    }

    @Test
    void tellsOfRefusalsAndOfPathsThatAreNoResources() throws Exception {
        server.send(server.request("/metrics").setHeader("Authorization", "Bearer nobody"));
        var event = event();
        assertThat(event.target()).isNull();
        assertThat(event.verb()).isEqualTo("get");
        assertThat(event.outcome().error().reason()).isEqualTo(StatusError.Reason.FORBIDDEN);
        assertThat(event.notes().all()).containsEntry("authorization.k8s.io/decision", "forbid");
    }

    @Test
    void tellsOfPathTricksToo() throws Exception {
        server.get("/api/v1/namespaces/%2e%2e/pods");
        assertThat(event().outcome().code()).isEqualTo(400);
    }

    @Test
    void hasTheBodiesAndTheNewName() throws Exception {
        server.send("POST", "/clusters/tenant/api/v1/namespaces/default/pods", "application/json", "{}");
        var event = event();
        assertThat(event.cluster()).isEqualTo(new LogicalCluster("tenant"));
        assertThat(event.target().name()).isEqualTo("web");
        assertThat(event.exchange().request()).isInstanceOf(Body.Text.class);
        assertThat(event.exchange().response().tree().string("metadata", "name"))
                .isEqualTo("web");
    }

    @Test
    void leavesOutQuestionsForHealth() throws Exception {
        server.get("/readyz");
        server.get("/version");
        server.get("/api/v1/namespaces/default/pods/web");
        assertThat(event().verb()).isEqualTo("get");
        assertThat(server.fake.audited).isEmpty();
    }
}
