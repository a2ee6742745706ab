package dev.towtank.app.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.server.FeatureRoles;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.ControlLoops;
import dev.towtank.cluster.Ground;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.SystemTimers;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The example feature, alone on a server, under its own identity and with nothing else.
@Timeout(60)
class LanternFeatureTest {

    private static final Path GUIDE = Path.of("../docs/adding-a-feature.md");

    @Test
    void lightsLanternsWhereItIsDark() throws Exception {
        var feature = new LanternFeature(town -> town.equals("nightville"));
        var isClosed = new AtomicBoolean();
        try (var timers = new SystemTimers();
                var server = server(feature, timers)) {
            var admin = server.as(User.of("admin", User.MASTERS, User.ALL_AUTHENTICATED));
            var ground = Ground.of(timers).with(port -> listening(port, isClosed));
            try (var _ = ControlLoops.start(
                    server.as(FeatureRoles.identity("informers")),
                    each -> server.as(FeatureRoles.identity(each.name())),
                    ground,
                    List.of(feature))) {
                create(admin, "night", "nightville");
                create(admin, "day", "daytown");

                assertThat(phase(admin, "night")).isEqualTo("Lit");
                assertThat(phase(admin, "day")).isEqualTo("Off");
                assertThat(feature.lit).containsExactly("nightville");
                assertThat(admin.get(ConfigMaps.KIND, ObjectName.of("default", "night"))
                                .orElseThrow()
                                .json()
                                .string("data", "phase"))
                        .isEqualTo("Lit");
                assertThat(isClosed).isFalse();
            }
            assertThat(isClosed).isTrue();
        }
    }

    private static ApiServer server(LanternFeature feature, SystemTimers timers) throws Exception {
        var keys = KeyPairGenerator.getInstance("EC");
        keys.initialize(256);
        return new ApiServer(
                JournaledStore.inMemory(),
                keys.generateKeyPair(),
                "PEM",
                "token",
                timers,
                new Random(1),
                List.of(feature));
    }

    private static WebDoor.Open listening(WebDoor.Port port, AtomicBoolean isClosed) {
        assertThat(port.name()).isEqualTo("lanterns");
        return new WebDoor.Open() {
            @Override
            public int port() {
                return 1;
            }

            @Override
            public void close() {
                isClosed.set(true);
            }
        };
    }

    private static void create(Cluster admin, String name, String town) {
        var lantern = (Json.Obj) YamlText.parse("""
                {apiVersion: example.towtank.dev/v1, kind: Lantern, metadata: {name: %s, namespace: default},
                spec: {town: %s}}
                """.formatted(name, town));
        admin.create(LanternReconciler.LANTERNS, Resource.of(lantern), WriteOptions.DEFAULT);
    }

    /// As soon as there is one.
    private static String phase(Cluster admin, String name) throws InterruptedException {
        var listing = admin.list(LanternReconciler.LANTERNS, Selection.EVERYWHERE);
        for (var lantern : listing.items()) {
            if (lantern.name().equals(name) && !lantern.status().isEmpty()) {
                return lantern.status().string("phase");
            }
        }
        try (var watch = admin.watch(LanternReconciler.LANTERNS, Selection.EVERYWHERE, listing.resourceVersion())) {
            while (true) {
                for (var event : watch.next(Duration.ofSeconds(10))) {
                    if (event instanceof dev.towtank.cluster.Watch.Modified(var lantern)
                            && lantern.name().equals(name)
                            && !lantern.status().isEmpty()) {
                        return lantern.status().string("phase");
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"LanternFeature.java", "LanternReconciler.java"})
    void theGuideShowsWhatIsTriedHere(String file) throws IOException {
        var source = Files.readString(
                Path.of("src/test/java/dev/towtank/app/example").resolve(file));
        for (var part : Files.readString(GUIDE).split("```", -1)) {
            if (part.startsWith("java " + file + "\n")) {
                assertThat(source)
                        .contains(part.substring(part.indexOf('\n') + 1).strip());
                return;
            }
        }
        assertThat(file).as("a part of it in " + GUIDE).isEmpty();
    }
}
