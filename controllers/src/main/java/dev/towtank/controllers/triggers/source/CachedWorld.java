package dev.towtank.controllers.triggers.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.events.CompiledExpressions;
import dev.towtank.controllers.triggers.events.Destination;
import dev.towtank.controllers.triggers.events.Event;
import dev.towtank.controllers.triggers.events.EventRefusal;
import dev.towtank.controllers.triggers.events.GitHub;
import dev.towtank.controllers.triggers.events.Secrets;
import dev.towtank.controllers.triggers.events.World;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Services;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// What one listener sees of its logical cluster.
///
/// @param user whose rights count for what is in other namespaces
record CachedWorld(Sources sources, Resource listener, String user) implements World {

    private static final Kind<Json.Obj> SECRET = dev.towtank.model.kinds.core.Secrets.KIND;
    private static final Kind<Json.Obj> REVIEW =
            Kind.clusterScoped("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews");

    /// What all listeners share.
    record Sources(
            Map<Kind<?>, Cache> caches,
            Cluster cluster,
            InterceptorCalls calls,
            InstantSource clock,
            CompiledExpressions expressions) {

        static Sources of(Caches caches, Cluster cluster, InstantSource clock) {
            var all = new HashMap<Kind<?>, Cache>();
            for (var kind : List.of(
                    TriggersKinds.TRIGGER,
                    TriggersKinds.TRIGGER_BINDING,
                    TriggersKinds.CLUSTER_TRIGGER_BINDING,
                    TriggersKinds.TRIGGER_TEMPLATE,
                    TriggersKinds.INTERCEPTOR,
                    TriggersKinds.CLUSTER_INTERCEPTOR,
                    SECRET)) {
                all.put(kind, caches.of(kind));
            }
            return new Sources(
                    Map.copyOf(all),
                    cluster,
                    new InterceptorCalls(caches.of(Services.KIND)),
                    clock,
                    new CompiledExpressions());
        }

        Cache of(Kind<?> kind) {
            var cache = caches.get(kind);
            if (cache == null) {
                throw new IllegalArgumentException("nobody asked for " + kind);
            }
            return cache;
        }
    }

    @Override
    public Optional<Resource> find(Kind<?> kind, String namespace, String name) {
        return sources.of(kind).get(new ObjectName(listener.cluster(), namespace, name));
    }

    @Override
    public List<Resource> triggers(String namespace) {
        var triggers = sources.of(TriggersKinds.TRIGGER);
        if (!namespace.equals(listener.namespace())
                && !may(
                        "list",
                        TriggersKinds.GROUP,
                        TriggersKinds.TRIGGER.plural(),
                        namespace.equals("*") ? "" : namespace)) {
            return List.of();
        }
        return namespace.equals("*")
                ? triggers.list().stream()
                        .filter(each -> each.cluster().equals(listener.cluster()))
                        .toList()
                : triggers.in(listener.cluster(), namespace);
    }

    // Whoever may write a listener may not for that see the triggers of others.
    private boolean may(String verb, String group, String resource, String namespace) {
        var attributes = Json.Obj.builder()
                .put("verb", verb)
                .put("group", group)
                .put("resource", resource)
                .putNonEmpty("namespace", namespace)
                .build();
        var review = Json.Obj.builder()
                .put("apiVersion", REVIEW.apiVersion())
                .put("kind", REVIEW.kind())
                .put("metadata", Json.Obj.EMPTY)
                .put(
                        "spec",
                        Json.Obj.of(
                                "user", Json.of(user),
                                "groups",
                                        Json.Arr.ofStrings(List.of(
                                                "system:serviceaccounts",
                                                "system:serviceaccounts:" + listener.namespace(),
                                                "system:authenticated")),
                                "resourceAttributes", attributes))
                .build();
        return sources.cluster
                .create(REVIEW, listener.with(review), Cluster.WriteOptions.DEFAULT)
                .status()
                .flag("allowed");
    }

    @Override
    public Secrets secrets(String namespace) {
        return (other, name, key) -> find(SECRET, other.isEmpty() ? namespace : other, name)
                .filter(secret -> secret.namespace().equals(namespace) || may("get", "", "secrets", secret.namespace()))
                .map(secret -> secret.json().string("data", key))
                .filter(value -> !value.isEmpty())
                .map(value -> Base64.getDecoder().decode(value));
    }

    @Override
    public GitHub gitHub() {
        return new GitHubApi(sources.calls::shared, () -> Rewrites.of(sources.cluster, listener.cluster()));
    }

    @Override
    public Instant now() {
        return sources.clock.instant();
    }

    @Override
    public CompiledExpressions expressions() {
        return sources.expressions;
    }

    @Override
    public Json.Obj ask(Destination interceptor, Json.Obj request) throws EventRefusal {
        return sources.calls.ask(listener.cluster(), interceptor, request);
    }

    @Override
    public Event pass(Destination webhook, Event event, Json.Arr headers) throws EventRefusal {
        return sources.calls.pass(listener.cluster(), webhook, event, headers);
    }

    @Override
    public String newUid() {
        return UUID.randomUUID().toString();
    }
}
