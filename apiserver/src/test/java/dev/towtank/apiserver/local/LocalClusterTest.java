package dev.towtank.apiserver.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.testing.LogicalClusterContract;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.LogicalClusters;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The port without a network, over the whole server: authorization, admission and upkeep included.
class LocalClusterTest extends LogicalClusterContract {

    private final ApiServer server = new ApiServer(
            JournaledStore.inMemory(),
            keys(),
            "PEM",
            "a-token-for-nobody",
            InstantSource.fixed(Instant.parse("2026-03-01T10:00:00Z")),
            new Random(3));
    private final Cluster cluster = server.as(User.of("contract", User.MASTERS));

    private static KeyPair keys() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    LocalClusterTest() {
        server.start();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void whatIsStrictHasNoFieldThatItsKindDoesNotKnow() {
        var map = Resource.of((Json.Obj) YamlText.parse("""
                {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}, dta: {a: b}}
                """));

        assertThatThrownBy(() -> cluster.create(ConfigMaps.KIND, map, WriteOptions.DEFAULT.strictly(true)))
                .isInstanceOf(StatusError.class)
                .hasMessageContaining("strict decoding error: unknown field \"dta\"");
        assertThat(cluster.create(ConfigMaps.KIND, map, WriteOptions.DEFAULT)
                        .json()
                        .has("dta"))
                .isFalse();
    }

    @Override
    protected Cluster cluster() {
        return cluster;
    }

    @Override
    protected void forgetHistory() {
        server.store().compact(server.store().revision());
    }

    @Override
    protected void givenLogicalCluster(LogicalCluster logical) {
        var object = Json.Obj.of(
                "apiVersion",
                Json.of(LogicalClusters.KIND.apiVersion()),
                "kind",
                Json.of(LogicalClusters.KIND.kind()),
                "metadata",
                Json.Obj.of("name", Json.of(logical.id())));
        cluster.create(LogicalClusters.KIND, Resource.of(object), WriteOptions.DEFAULT);
    }
}
