package dev.towtank.controllers.registry.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/// By questions to the API. A ServiceAccount may in its own namespace; everybody else as RBAC says of
/// `imagestreams/layers`, as in OpenShift: `get` to pull, `update` to push.
final class ReviewedRights implements RegistryRights {

    private static final Kind<Json.Obj> ACCESS =
            Kind.clusterScoped("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews");
    private static final Kind<Json.Obj> TOKEN =
            Kind.clusterScoped("authentication.k8s.io", "v1", "TokenReview", "tokenreviews");
    private static final String ACCOUNT = "system:serviceaccount:";
    /// What all may pull.
    private static final String SHARED = "openshift";
    private static final Duration REMEMBERED = Duration.ofSeconds(30);
    private static final int MOST = 1000;

    private final Cluster cluster;
    private final InstantSource clock;

    // Guarded by this object's monitor; by digests of tokens.
    private final Map<String, Known> known = BoundedMap.byAge(MOST);

    private record Known(Caller caller, Instant until) {}

    ReviewedRights(Cluster cluster, InstantSource clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    @Override
    public Optional<Caller> caller(String header) {
        var token = token(header);
        if (token.isEmpty()) {
            return Optional.empty();
        }
        var key = HexFormat.of().formatHex(Sha256.begin().digest(token.get().getBytes(StandardCharsets.UTF_8)));
        var now = clock.instant();
        synchronized (this) {
            var found = known.get(key);
            if (found != null && now.isBefore(found.until)) {
                return Optional.of(found.caller);
            }
        }
        var status = ask(TOKEN, Json.Obj.of("token", Json.of(token.get()))).status();
        if (!status.flag("authenticated")) {
            return Optional.empty();
        }
        var caller = new Caller(
                status.string("user", "username"),
                status.array("user", "groups").strings());
        synchronized (this) {
            known.put(key, new Known(caller, now.plus(REMEMBERED)));
        }
        return Optional.of(caller);
    }

    private static Optional<String> token(String header) {
        int space = header.indexOf(' ');
        if (space < 0) {
            return Optional.empty();
        }
        var value = header.substring(space + 1).strip();
        if (header.regionMatches(true, 0, "Bearer", 0, space)) {
            return Optional.of(value).filter(text -> !text.isEmpty());
        }
        try {
            var pair = new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            return colon < 0 || colon == pair.length() - 1 ? Optional.empty() : Optional.of(pair.substring(colon + 1));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean mayPull(Caller caller, String namespace) {
        return namespace.equals(SHARED) || may(caller, namespace, "get");
    }

    @Override
    public boolean mayPush(Caller caller, String namespace) {
        return may(caller, namespace, "update");
    }

    private boolean may(Caller caller, String namespace, String verb) {
        if (caller.user().startsWith(ACCOUNT + namespace + ":")) {
            return true;
        }
        var attributes = Json.Obj.builder()
                .put("namespace", namespace)
                .put("verb", verb)
                .put("group", "image.openshift.io")
                .put("resource", "imagestreams")
                .put("subresource", "layers")
                .build();
        var spec = Json.Obj.of(
                "resourceAttributes",
                attributes,
                "user",
                Json.of(caller.user()),
                "groups",
                Json.Arr.ofStrings(caller.groups()));
        return ask(ACCESS, spec).status().flag("allowed");
    }

    private Resource ask(Kind<?> kind, Json.Obj spec) {
        var question =
                Json.Obj.of("apiVersion", Json.of(kind.apiVersion()), "kind", Json.of(kind.kind()), "spec", spec);
        return cluster.create(kind, new Resource(LogicalCluster.DEFAULT, question), Cluster.WriteOptions.DEFAULT);
    }
}
