package dev.towtank.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Notes;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Callers inside the process, over the whole server.
class AuditedApiTest implements AuditSink {

    private final List<AuditEvent> events = new ArrayList<>();
    private final ApiServer server = new ApiServer(
            JournaledStore.inMemory(),
            keys(),
            "PEM",
            "a-token-for-nobody",
            InstantSource.fixed(Instant.parse("2026-03-01T10:00:00Z")),
            new Random(3),
            List.of(),
            this,
            PodAccess.NONE);

    private static KeyPair keys() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Level level() {
        return Level.METADATA;
    }

    @Override
    public void record(AuditEvent event) {
        events.add(event);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void handle(User user, Verb verb, String name, String body, Notes notes) {
        var target = new Target("", "v1", "configmaps", "default", name, "");
        var sent = body.isEmpty() ? Body.None.NONE : Body.of(JsonText.parse(body));
        server.api().handle(new Call(user, LogicalCluster.DEFAULT, verb, target, Params.NONE, sent, "", notes));
    }

    private static final String SETTINGS =
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"generateName\":\"settings-\"}}";

    @Test
    void writesAreNotedWithTheNameTheyGot() {
        handle(User.of("robot", User.MASTERS), Verb.CREATE, "", SETTINGS, Notes.NONE);
        var event = events.getFirst();
        assertThat(event.who().user()).contains(User.of("robot", User.MASTERS));
        assertThat(event.target().name()).startsWith("settings-");
        assertThat(event.outcome().code()).isEqualTo(201);
        assertThat(event.notes().all()).containsEntry("authorization.k8s.io/decision", "allow");
        assertThat(AuditUri.of(event)).startsWith("/api/v1/namespaces/default/configmaps/settings-");
    }

    @Test
    void ofWhatIsCreatedTogetherEachIsNoted() {
        var robot = server.as(User.of("robot", User.MASTERS));
        var one = JsonText.parseObject(SETTINGS.replace("generateName", "namespace\":\"default\",\"name"));
        var other = one.with(List.of("metadata", "name"), Json.of("b"));

        assertThat(robot.createTogether(
                        ConfigMaps.KIND, List.of(Resource.of(one), Resource.of(other)), WriteOptions.DEFAULT))
                .isFalse(); // the first name ends with a dash
        assertThat(events).isEmpty();
        var good = one.with(List.of("metadata", "name"), Json.of("a"));
        assertThat(robot.createTogether(
                        ConfigMaps.KIND, List.of(Resource.of(good), Resource.of(other)), WriteOptions.DEFAULT))
                .isTrue();
        assertThat(events)
                .extracting(
                        event -> event.target().name() + " " + event.outcome().code())
                .containsExactly("a 201", "b 201");
        assertThat(events.getLast().notes().all()).containsEntry("authorization.k8s.io/decision", "allow");
    }

    @Test
    void refusalsAreNoted() {
        assertThatThrownBy(() -> handle(User.of("robot"), Verb.GET, "x", "", Notes.NONE))
                .isInstanceOf(StatusError.class);
        assertThat(events.getFirst().outcome().code()).isEqualTo(403);
        assertThat(events.getFirst().notes().all()).containsEntry("authorization.k8s.io/decision", "forbid");
    }

    @Test
    void readsAreNot() {
        handle(User.of("robot", User.MASTERS), Verb.LIST, "", "", Notes.NONE);
        assertThat(events).isEmpty();
    }

    @Test
    void whatSomebodyElseNotesIsNotNotedTwice() {
        handle(User.of("robot", User.MASTERS), Verb.CREATE, "", SETTINGS, Notes.empty());
        assertThat(events).isEmpty();
    }
}
