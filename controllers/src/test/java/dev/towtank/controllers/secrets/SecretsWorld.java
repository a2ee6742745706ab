package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Change;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.loop.EventRecorder;
import dev.towtank.cluster.loop.PlanExecutor;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.WebAnswer;
import dev.towtank.controllers.secrets.reading.WebCall;
import dev.towtank.controllers.secrets.source.Rights;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.BuiltinKinds;
import dev.towtank.model.kinds.core.Secrets;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// Objects, and the controllers of External Secrets, who are asked until they have nothing more to do.
final class SecretsWorld {

    /// A kind that only a definition knows.
    static final Kind<Json.Obj> GITEA = Kind.namespaced("pfe.rhpds.com", "v1", "Gitea", "gitea");

    private static final int MOST_ROUNDS = 20;

    private final FakeCluster cluster = new FakeCluster(this::now);
    private final TreeSet<String> denied = new TreeSet<>();
    private final List<String> events = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Function<WebCall, WebAnswer> web = call -> {
        throw new UncheckedIOException(new ConnectException("cannot reach " + call.host()));
    };
    private final Timers timers = new Timers() {
        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public Timer at(Instant moment, Runnable action) {
            return () -> {}; // nobody waits here
        }
    };
    private final Abroad abroad = new Abroad(
            new Outside<>("web", question -> web.apply(question.call()), Outside.Limits.USUAL, timers, Runnable::run),
            new Outside<>(
                    "objects",
                    question -> cluster.get(question.kind(), question.name()).map(Resource::json),
                    Outside.Limits.USUAL.freshFor(Duration.ofSeconds(1)),
                    timers,
                    Runnable::run),
            timers);
    // One for the whole life of the controllers, as in the server.
    private final Chance chance = new Chance();

    /// Who answers requests to web servers.
    void answering(Function<WebCall, WebAnswer> answers) {
        web = answers;
    }

    Instant now() {
        return now;
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    /// @param verb and name of a Secret, such as `get bucket`; `get` alone for all of them
    void deny(String verb) {
        denied.add(verb);
    }

    void allowAll() {
        denied.clear();
    }

    /// As users write them; in the namespace `team` unless they say otherwise.
    SecretsWorld given(String yaml) {
        for (var document : YamlText.parseAll(yaml)) {
            var json = (Json.Obj) document;
            var kind = kind(json);
            if (kind.isNamespaced() && json.string("metadata", "namespace").isEmpty()) {
                json = json.with(List.of("metadata", "namespace"), Json.of("team"));
            }
            json = json.with(List.of("metadata", "uid"), Json.of(json.string("metadata", "name") + "-uid"));
            if (json.get("stringData") instanceof Json.Obj texts) {
                var data = Json.Obj.builder();
                texts.forEach((key, value) -> data.put(key, encoded(value.display())));
                json = json.without("stringData").with("data", data.build());
            }
            if (kind.group().equals(SecretKinds.GROUP)) {
                json = json.with(List.of("metadata", "generation"), Json.of(cluster.revision() + 1));
            }
            var before = cluster.get(kind, ObjectName.of(Resource.of(json)));
            if (before.isPresent()) {
                json = json.with("status", before.get().status());
            }
            cluster.given(kind, Resource.of(json));
        }
        return this;
    }

    static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Kind<?> kind(Json.Obj json) {
        var all = new ArrayList<Kind<?>>(BuiltinKinds.ALL);
        all.addAll(List.of(
                SecretKinds.EXTERNAL_SECRET,
                SecretKinds.SECRET_STORE,
                SecretKinds.CLUSTER_SECRET_STORE,
                SecretKinds.CLUSTER_EXTERNAL_SECRET,
                SecretKinds.PUSH_SECRET,
                SecretKinds.CLUSTER_GENERATOR,
                CustomResourceDefinitions.KIND,
                GITEA));
        all.addAll(SecretKinds.GENERATORS);
        return all.stream()
                .filter(kind -> kind.kind().equals(json.string("kind"))
                        && kind.apiVersion().equals(json.string("apiVersion")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no kind of " + json));
    }

    private Caches caches() {
        return kind -> {
            var cache = new IndexedCache();
            cluster.list(kind, Selection.EVERYWHERE).items().forEach(cache::put);
            return cache;
        };
    }

    private final Rights rights = new Rights() {
        @Override
        public boolean allow(
                LogicalCluster place,
                Account account,
                String verb,
                GroupResource resource,
                String namespace,
                String name) {
            return !denied.contains(verb) && !denied.contains(verb + " " + name);
        }

        @Override
        public Optional<Account> owner(LogicalCluster place, String token) {
            return token.equals("known") ? Optional.of(Account.ofServiceAccount("team", "reader")) : Optional.empty();
        }
    };

    /// Asks all controllers about all their objects until nothing changes.
    ///
    /// @return what the last one wants to look at again, and when
    Plan settle() {
        var last = Plan.NONE;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            boolean isCalm = true;
            for (int each = 0; each < controllers().size(); each++) {
                for (var object : cluster.list(controllers().get(each).kind(), Selection.EVERYWHERE)
                        .items()) {
                    last = controllers().get(each).decide(object, now);
                    isCalm &= last.changes().isEmpty();
                    carryOut(last);
                }
            }
            if (isCalm) {
                return last;
            }
        }
        throw new AssertionError("does not settle: " + last);
    }

    private List<Controller<?, ?>> controllers() {
        return new SecretControllers(caches(), rights, abroad, chance, this::send).all();
    }

    private Json send(PushPlan.Send deed) {
        return Json.of(web.apply(deed.call()).status());
    }

    private void carryOut(Plan plan) {
        plan.changes().stream()
                .filter(Change.Event.class::isInstance)
                .forEach(
                        event -> events.add(((Change.Event) event).reason() + ": " + ((Change.Event) event).message()));
        var executor = new PlanExecutor(
                cluster, new EventRecorder(cluster, this::now, "test"), "test", Map.of(PushPlan.Send.class, (Deed.Doer<
                                PushPlan.Send>)
                        this::send));
        executor.execute(plan);
    }

    List<String> events() {
        var told = List.copyOf(events);
        events.clear();
        return told;
    }

    Optional<Resource> secret(String name) {
        return cluster.get(Secrets.KIND, ObjectName.of("team", name));
    }

    Optional<Resource> find(Kind<?> kind, String namespace, String name) {
        return cluster.get(kind, ObjectName.of(namespace, name));
    }

    /// The values of a Secret.
    Map<String, String> values(String name) {
        var values = new TreeMap<String, String>();
        secret(name)
                .orElseThrow(() -> new AssertionError("no Secret " + name))
                .json()
                .object("data")
                .forEach((key, value) -> values.put(
                        key, new String(Base64.getDecoder().decode(value.display()), StandardCharsets.UTF_8)));
        return values;
    }

    Json.Obj status(Kind<?> kind, String name) {
        return cluster.get(kind, ObjectName.of(kind.isNamespaced() ? "team" : "", name))
                .orElseThrow()
                .status();
    }

    /// The condition of an ExternalSecret, such as `True SecretSynced: secret synced`.
    String ready(String name) {
        return ready(SecretKinds.EXTERNAL_SECRET, name);
    }

    String ready(Kind<?> kind, String name) {
        var condition = status(kind, name).objects("conditions").getFirst();
        return condition.string("status") + " " + condition.string("reason") + ": " + condition.string("message");
    }

    void delete(Kind<?> kind, String namespace, String name) {
        cluster.delete(kind, ObjectName.of(namespace, name), Cluster.DeleteOptions.DEFAULT);
    }
}
