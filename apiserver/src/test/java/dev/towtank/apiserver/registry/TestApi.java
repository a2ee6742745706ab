package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.WatchStream;
import dev.towtank.apiserver.admission.Admission;
import dev.towtank.apiserver.catalog.BuiltinCatalog;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.assertj.core.api.Assertions;

/// A registry over a store in memory, with a clock that stands still and names that repeat.
public final class TestApi implements AutoCloseable {

    public final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-01T10:00:00Z"));
    public final InstantSource clock = now::get;
    public final Store store = JournaledStore.inMemory();
    public final BuiltinCatalog catalog = new BuiltinCatalog();
    public final Api api;
    public User user = User.of("tester", User.MASTERS);
    public LogicalCluster cluster = LogicalCluster.DEFAULT;

    public TestApi(Admission... admissions) {
        this(_ -> Map.of(), admissions);
    }

    private TestApi(Function<Store, Map<GroupResource, View>> views, Admission... admissions) {
        this.api =
                new Registry(store, catalog, List.of(admissions), Map.of(), views.apply(store), clock, new Random(7));
    }

    /// One that works out some kinds.
    public static TestApi showing(Function<Store, Map<GroupResource, View>> views) {
        return new TestApi(views);
    }

    /// `pods/default/web`, `deployments.apps/default/web/status` or `pods.metrics.k8s.io@v1beta1`; a missing part is
    /// empty.
    public Target target(String path) {
        var parts = Arrays.copyOf(path.split("/", -1), 4);
        int at = parts[0].indexOf('@');
        var version = at < 0 ? "v1" : parts[0].substring(at + 1);
        var kind = at < 0 ? parts[0] : parts[0].substring(0, at);
        int dot = kind.indexOf('.');
        var resource = dot < 0 ? kind : kind.substring(0, dot);
        var group = dot < 0 ? "" : kind.substring(dot + 1);
        return new Target(group, version, resource, orEmpty(parts[1]), orEmpty(parts[2]), orEmpty(parts[3]));
    }

    private static String orEmpty(String part) {
        return part == null ? "" : part;
    }

    /// Parameters as in a query: `limit=2&labelSelector=a=b`.
    public static Params params(String query) {
        var values = new HashMap<String, List<String>>();
        if (!query.isEmpty()) {
            for (var pair : query.split("&", -1)) {
                int equals = pair.indexOf('=');
                values.computeIfAbsent(pair.substring(0, equals), _ -> new ArrayList<>())
                        .add(pair.substring(equals + 1));
            }
        }
        return new Params(values);
    }

    public Answer call(Verb verb, String path, String query, Body body) {
        return api.handle(new Call(user, cluster, verb, target(path), params(query), body));
    }

    public Answer.One one(Verb verb, String path, String query, Body body) {
        return (Answer.One) call(verb, path, query, body);
    }

    public static Body yaml(String text) {
        return Body.of(YamlText.parse(text));
    }

    public static Body patch(String type, String json) {
        return new Body.Text("application/" + type + "-patch+json", json.getBytes(StandardCharsets.UTF_8));
    }

    public Json.Obj create(String path, String yaml) {
        return one(Verb.CREATE, path, "", yaml(yaml)).object().tree();
    }

    public Json.Obj get(String path) {
        return one(Verb.GET, path, "", Body.None.NONE).object().tree();
    }

    public Json.Obj update(String path, Json.Obj object) {
        return one(Verb.UPDATE, path, "", Body.of(object)).object().tree();
    }

    public Json.Obj patch(String path, String type, String json) {
        return one(Verb.PATCH, path, "", patch(type, json)).object().tree();
    }

    public Answer.One delete(String path, String query) {
        return one(Verb.DELETE, path, query, Body.None.NONE);
    }

    public Answer.Many list(String path, String query) {
        return (Answer.Many) call(Verb.LIST, path, query, Body.None.NONE);
    }

    public static List<String> names(Answer.Many list) {
        return list.items().stream()
                .map(item -> item.tree().string("metadata", "name"))
                .toList();
    }

    public WatchStream watch(String path, String query) {
        return ((Answer.Watching) call(Verb.WATCH, path, query, Body.None.NONE)).stream();
    }

    /// Everything there is now, as `ADDED web@12`.
    public static List<String> events(WatchStream stream) {
        var texts = new ArrayList<String>();
        while (true) {
            var events = stream.poll(100);
            if (events.isEmpty()) {
                return texts;
            }
            for (var event : events) {
                var name = event.object().tree().string("metadata", "name");
                texts.add(event.type() + (name.isEmpty() ? "" : " " + name));
            }
        }
    }

    public boolean exists(String path) {
        try {
            get(path);
            return true;
        } catch (StatusError e) {
            Assertions.assertThat(e.reason()).isEqualTo(StatusError.Reason.NOT_FOUND);
            return false;
        }
    }

    public static StatusError refused(Attempt action) {
        try {
            action.run();
        } catch (StatusError e) {
            return e;
        }
        throw new AssertionError("expected a refusal");
    }

    /// An action that should be refused.
    @FunctionalInterface
    public interface Attempt {
        void run();
    }

    public static Json.Obj json(String text) {
        return JsonText.parseObject(text);
    }

    @Override
    public void close() {
        store.close();
    }
}
