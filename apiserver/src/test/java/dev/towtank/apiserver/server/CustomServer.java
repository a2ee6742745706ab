package dev.towtank.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.cluster.Feature;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;

/// The whole server without a network, and requests to it as paths and YAML.
///
/// A path is `group/version/plural[/name[/subresource]]` with namespace `default`, or with `~` before the plural where
/// the kind is cluster-scoped: `example.com/v1/widgets/one`, `apiextensions.k8s.io/v1/~customresourcedefinitions`.
final class CustomServer implements AutoCloseable {

    private static final Duration LONG_ENOUGH = Duration.ofMinutes(2);
    private static final KeyPair KEYS = keys();

    final ApiServer server;
    private final User user = User.of("tester", User.MASTERS);

    CustomServer(Feature... features) {
        this(JournaledStore.inMemory(), features);
        server.start();
    }

    /// Over a store that another one may go on with: no upkeep runs.
    CustomServer(Store store, Feature... features) {
        server = new ApiServer(
                store,
                KEYS,
                "PEM",
                "a-token-for-nobody",
                InstantSource.fixed(Instant.parse("2026-03-01T10:00:00Z")),
                new Random(7),
                List.of(features));
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

    Json.Obj define(String yaml) {
        return create("apiextensions.k8s.io/v1/~customresourcedefinitions", yaml);
    }

    Json.Obj definition(String name) {
        return get("apiextensions.k8s.io/v1/~customresourcedefinitions/" + name);
    }

    Json.Obj create(String path, String yaml) {
        return one(handle(Verb.CREATE, path, "", yaml(yaml)));
    }

    Json.Obj update(String path, Json.Obj object) {
        return one(handle(Verb.UPDATE, path, "", Body.of(object)));
    }

    Json.Obj patch(String path, String yaml) {
        return one(handle(Verb.PATCH, path, "", new Body.Tree("application/merge-patch+json", YamlText.parse(yaml))));
    }

    Json.Obj get(String path) {
        return one(handle(Verb.GET, path, "", Body.None.NONE));
    }

    List<Json.Obj> list(String path, String query) {
        if (handle(Verb.LIST, path, query, Body.None.NONE) instanceof Answer.Many many) {
            return many.items().stream().map(item -> item.tree()).toList();
        }
        throw new IllegalStateException("a list answered with something else");
    }

    Answer.Watching watch(String path, String query) {
        if (handle(Verb.WATCH, path, query, Body.None.NONE) instanceof Answer.Watching watching) {
            return watching;
        }
        throw new IllegalStateException("a watch answered with something else");
    }

    Answer delete(String path) {
        return handle(Verb.DELETE, path, "", Body.None.NONE);
    }

    List<String> warnings(String path, String yaml) {
        return handle(Verb.CREATE, path, "", yaml(yaml)).warnings();
    }

    Answer handle(Verb verb, String path, String query, Body body) {
        var parts = path.split("/", -1);
        boolean clusterScoped = parts[2].startsWith("~");
        var target = new Target(
                parts[0],
                parts[1],
                clusterScoped ? parts[2].substring(1) : parts[2],
                clusterScoped ? "" : "default",
                parts.length > 3 ? parts[3] : "",
                parts.length > 4 ? parts[4] : "");
        return server.api().handle(new Call(user, LogicalCluster.DEFAULT, verb, target, params(query), body));
    }

    private static Params params(String query) {
        Map<String, List<String>> params = new HashMap<>();
        for (var pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            params.put(pair.substring(0, pair.indexOf('=')), List.of(pair.substring(pair.indexOf('=') + 1)));
        }
        return new Params(params);
    }

    private static Body yaml(String text) {
        return new Body.Text("application/yaml", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Json.Obj one(Answer answer) {
        if (answer instanceof Answer.One one) {
            return one.object().tree();
        }
        throw new IllegalStateException("not one object: " + answer);
    }

    /// The refusal that the action meets.
    static StatusError refused(Runnable action) {
        var error = catchThrowableOfType(StatusError.class, action::run);
        assertThat(error).as("a refusal").isNotNull();
        return error;
    }

    /// Waits for a state that writes lead to, looking again after each.
    void until(BooleanSupplier condition) {
        try (var feed = server.store().feed(Range.EVERYTHING, server.store().revision())) {
            while (!condition.getAsBoolean()) {
                assertThat(feed.await(100, LONG_ENOUGH))
                        .as("something happens before the condition holds")
                        .isNotEmpty();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
