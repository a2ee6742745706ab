package dev.towtank.cluster.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.DeleteOptions;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.networking.Ingresses;
import dev.towtank.model.patch.Patch;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/// What the parts of the contract share. Each test has a namespace of its own, so that all may run against one server.
abstract class ContractWorld {

    protected static final Kind<Json.Obj> NAMESPACES = Namespaces.KIND;
    protected static final Kind<Json.Obj> CONFIG_MAPS = ConfigMaps.KIND;

    /// A kind with a status and a generation.
    protected static final Kind<Json.Obj> INGRESSES = Ingresses.KIND;

    protected final String namespace =
            "contract-" + UUID.randomUUID().toString().substring(0, 8);

    protected abstract Cluster cluster();

    /// Lets the server forget its history, so that revisions until now are too old to watch from.
    protected abstract void forgetHistory();

    @BeforeEach
    void givenANamespace() {
        givenNamespace(LogicalCluster.DEFAULT, namespace);
    }

    protected final void givenNamespace(LogicalCluster place, String name) {
        var json = JsonText.parseObject("{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
        cluster().create(NAMESPACES, new Resource(place, typed(NAMESPACES, json)), WriteOptions.DEFAULT);
    }

    protected static Json.Obj typed(Kind<?> kind, Json.Obj json) {
        return json.with("apiVersion", Json.of(kind.apiVersion())).with("kind", Json.of(kind.kind()));
    }

    protected final Resource map(String name, String value) {
        return map(LogicalCluster.DEFAULT, namespace, name, value);
    }

    protected static Resource map(LogicalCluster place, String namespace, String name, String value) {
        return new Resource(
                place, typed(CONFIG_MAPS, JsonText.parseObject("""
                {"metadata":{"name":"%s","namespace":"%s","labels":{"contract":"yes","value":"%s"}},"data":{"key":"%s"}}
                """.formatted(name, namespace, value, value))));
    }

    protected final Resource create(Resource map) {
        return cluster().create(CONFIG_MAPS, map, WriteOptions.DEFAULT);
    }

    protected final ObjectName named(String name) {
        return ObjectName.of(namespace, name);
    }

    protected final Selection ours() {
        return Selection.in(LogicalCluster.DEFAULT, namespace).labelled("contract=yes");
    }

    protected static Resource with(Resource object, Json value, String... path) {
        return object.with(object.json().with(List.of(path), value));
    }

    protected static void assertRefused(Reason reason, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StatusError.class,
                        error -> assertThat(error.reason()).as(error.text()).isEqualTo(reason));
    }

    protected final Resource merge(String name, String patch) {
        return cluster()
                .patch(
                        CONFIG_MAPS,
                        named(name),
                        new Patch.Merge(JsonText.parseObject(patch)),
                        WriteOptions.DEFAULT.by("contract"));
    }

    protected final void delete(String name, DeleteOptions options) {
        cluster().delete(CONFIG_MAPS, named(name), options);
    }
}
