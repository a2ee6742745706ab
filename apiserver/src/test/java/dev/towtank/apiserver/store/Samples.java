package dev.towtank.apiserver.store;

import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// Objects and keys for tests of the store.
final class Samples {

    static final GroupResource CONFIG_MAPS = new GroupResource("", "configmaps");
    static final GroupResource DEPLOYMENTS = new GroupResource("apps", "deployments");
    static final LogicalCluster OTHER = new LogicalCluster("other");

    private Samples() {}

    static Key key(String name) {
        return key("default", name);
    }

    static Key key(String namespace, String name) {
        return new Key(CONFIG_MAPS, LogicalCluster.DEFAULT, namespace, name);
    }

    static Json.Obj object(Key key, String value) {
        return Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put(
                        "metadata",
                        Json.Obj.builder()
                                .put("name", key.name())
                                .putNonEmpty("namespace", key.namespace())
                                .put("resourceVersion", "client")
                                .put("uid", "u-" + key.name())
                                .build())
                .put("data", Json.Obj.of("value", Json.of(value)))
                .build();
    }

    static Write creating(Key key, String value) {
        return new Write.Create(key, object(key, value));
    }

    static Write updating(Stored stored, String value) {
        return new Write.Update(stored.key(), stored.revision(), object(stored.key(), value));
    }

    static Write deleting(Stored stored) {
        return new Write.Delete(stored.key(), stored.revision(), stored.tree());
    }

    static String value(Stored stored) {
        return stored.tree().string("data", "value");
    }

    /// `name=value`, in order.
    static List<String> texts(List<Stored> items) {
        return items.stream().map(item -> item.key().name() + "=" + value(item)).toList();
    }

    /// `CREATED name=value`, in order.
    static List<String> changes(List<Change> changes) {
        return changes.stream()
                .map(change -> change.type() + " " + change.key().name() + "=" + value(change.now()))
                .toList();
    }

    /// A clock that only tests move.
    static final class Clock implements InstantSource {
        private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

        @Override
        public Instant instant() {
            return now.get();
        }

        void pass(Duration time) {
            now.updateAndGet(instant -> instant.plus(time));
        }
    }
}
