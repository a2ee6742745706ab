package dev.towtank.apiserver.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Write;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.testing.LogicalClusterContract;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.LogicalClusters;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.ResourceQuotas;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The port without a network, over the whole server: authorization, admission and upkeep included.
class LocalClusterTest extends LogicalClusterContract {

    private final Store store = JournaledStore.inMemory();
    private final List<List<Write>> commits = new CopyOnWriteArrayList<>();
    private final ApiServer server = new ApiServer(
            counted(),
            keys(),
            "PEM",
            "a-token-for-nobody",
            InstantSource.fixed(Instant.parse("2026-03-01T10:00:00Z")),
            new Random(3));
    private final Cluster cluster = server.as(User.of("contract", User.MASTERS));

    @SuppressWarnings("unchecked")
    private Store counted() {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, method, arguments) -> {
                    if (method.getName().equals("commit") && arguments[0] instanceof List<?> writes) {
                        commits.add((List<Write>) writes);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

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

    private List<List<String>> created() {
        return commits.stream()
                .map(writes -> writes.stream()
                        .filter(write -> write instanceof Write.Create
                                && write.key().resource().resource().equals("configmaps")
                                && write.key().namespace().equals(namespace))
                        .map(write -> write.key().name())
                        .toList())
                .filter(names -> !names.isEmpty() && !names.equals(List.of("kube-root-ca.crt")))
                .toList();
    }

    @Test
    void whatIsCreatedTogetherIsOneCommit() {
        assertThat(cluster.createTogether(
                        CONFIG_MAPS, List.of(map("b", "2"), map("a", "1"), map("c", "3")), WriteOptions.DEFAULT))
                .isTrue();

        assertThat(created()).containsExactly(List.of("b", "a", "c"));
        assertThat(cluster.list(CONFIG_MAPS, ours()).items())
                .extracting(it -> it.name() + it.json().string("data", "key"))
                .containsExactly("a1", "b2", "c3");
    }

    @Test
    void whatCannotBeCreatedTogetherIsLeftAlone() {
        var some = List.of(map("a", "1"), map("b", "2"));
        var nameless = Json.Obj.of("namespace", Json.of(namespace), "generateName", Json.of("x-"));
        var quota = Resource.of((Json.Obj) YamlText.parse("""
                {apiVersion: v1, kind: ResourceQuota, metadata: {name: few, namespace: %s}, spec: {hard: {configmaps: 9}}}
                """.formatted(namespace)));

        var nobody = server.as(User.of("nobody"));
        assertThat(nobody.createTogether(CONFIG_MAPS, some, WriteOptions.DEFAULT))
                .as("forbidden")
                .isFalse();
        assertThat(cluster.createTogether(CONFIG_MAPS, List.of(some.getFirst(), some.getFirst()), WriteOptions.DEFAULT))
                .as("twice the same")
                .isFalse();
        assertThat(cluster.createTogether(
                        CONFIG_MAPS,
                        List.of(some.getFirst(), with(map("c", "1"), nameless, "metadata")),
                        WriteOptions.DEFAULT))
                .as("without a name")
                .isFalse();
        var elsewhere = map(LogicalCluster.DEFAULT, "nowhere", "c", "1");
        assertThat(cluster.createTogether(CONFIG_MAPS, List.of(some.getFirst(), elsewhere), WriteOptions.DEFAULT))
                .as("in no namespace")
                .isFalse();
        assertThat(cluster.createTogether(CONFIG_MAPS, some, WriteOptions.DEFAULT.trying()))
                .as("a trial")
                .isFalse();
        cluster.create(ResourceQuotas.KIND, quota, WriteOptions.DEFAULT);
        assertThat(cluster.createTogether(CONFIG_MAPS, some, WriteOptions.DEFAULT))
                .as("each changes the quota")
                .isFalse();

        assertThat(cluster.list(CONFIG_MAPS, ours()).items()).isEmpty();
        assertThat(cluster.list(ResourceQuotas.KIND, Selection.in(LogicalCluster.DEFAULT, namespace))
                        .items())
                .noneMatch(
                        it -> it.json().string("status", "used", "configmaps").equals("2"));
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
