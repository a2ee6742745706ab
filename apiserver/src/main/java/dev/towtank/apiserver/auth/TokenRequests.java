package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.auth.ServiceAccountClaims.Reference;
import dev.towtank.apiserver.store.Key;
import dev.towtank.model.FieldError;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Path;
import dev.towtank.model.Resource;
import dev.towtank.model.Schema;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.Zeros;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Answers `POST …/serviceaccounts/<name>/token`.
public final class TokenRequests {

    private static final Schema.Type SPEC = Schemas.builtin()
            .type("io.k8s.api.authentication.v1.TokenRequestSpec")
            .orElseThrow();

    private static final String GROUP = "authentication.k8s.io";
    private static final String KIND = "TokenRequest";
    private static final long SHORTEST_SECONDS = 10 * 60;
    private static final long LONGEST_SECONDS = 1L << 32;
    private static final long USUAL_SECONDS = 60 * 60;

    /// What the projected volume of every pod asks for. Clients that read such a token once and never again would fail
    /// after an hour, so it is good for a year, or until its pod is gone.
    private static final long PROJECTED_SECONDS = 3607;

    private static final long EXTENDED_SECONDS = 365L * 24 * 60 * 60;

    private final ServiceAccountTokens tokens;
    private final ObjectLookup objects;
    private final InstantSource clock;

    public TokenRequests(ServiceAccountTokens tokens, ObjectLookup objects, InstantSource clock) {
        this.tokens = tokens;
        this.objects = objects;
        this.clock = clock;
    }

    /// What a token is bound to besides its service account.
    private record Bound(Optional<Reference> pod, Optional<Reference> secret, Optional<Reference> node) {
        static final Bound NOTHING = new Bound(Optional.empty(), Optional.empty(), Optional.empty());

        Reference target() {
            return pod.or(() -> secret).or(() -> node).orElseThrow();
        }
    }

    /// The request with its status filled in: the token and when to fetch the next one.
    public Json.Obj issue(LogicalCluster cluster, Json.Obj serviceAccount, Json.Obj request) {
        var account = new Resource(cluster, serviceAccount);
        requireSameObject(account, request);
        var complete = withDefaults(request);
        validate(complete);
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var bound = bound(account, complete);
        var token = tokens.issue(claims(account, bound, complete, now));
        return answer(account, complete, token, now);
    }

    private static void requireSameObject(Resource account, Json.Obj request) {
        var asked = Resource.of(request);
        var errors = new FieldError.Collector();
        if (!asked.name().isEmpty() && !asked.name().equals(account.name())) {
            errors.invalid(
                    Path.of("metadata", "name"), asked.name(), "must match the service account name if specified");
        } else if (!asked.namespace().isEmpty() && !asked.namespace().equals(account.namespace())) {
            errors.invalid(
                    Path.of("metadata", "namespace"),
                    asked.namespace(),
                    "must match the service account namespace if specified");
        }
        if (!errors.isEmpty()) {
            throw StatusError.invalid(GROUP, KIND, account.name(), errors.errors());
        }
        if (!asked.uid().isEmpty() && !asked.uid().equals(account.uid())) {
            throw StatusError.conflict(
                    new GroupResource(GROUP, KIND),
                    account.name(),
                    "the UID in the token request (" + asked.uid() + ") does not match the UID of the service account ("
                            + account.uid() + ")");
        }
    }

    private Json.Obj withDefaults(Json.Obj request) {
        var spec = request.object("spec");
        if (spec.array("audiences").size() == 0) {
            spec = spec.with("audiences", Json.Arr.ofStrings(tokens.audiences()));
        }
        if (!(spec.get("expirationSeconds") instanceof Json.Int)) {
            spec = spec.with("expirationSeconds", Json.of(USUAL_SECONDS));
        }
        return request.with("spec", spec);
    }

    private static void validate(Json.Obj request) {
        var errors = new FieldError.Collector();
        var seconds = request.integer("spec", "expirationSeconds");
        var path = Path.of("spec", "expirationSeconds");
        if (seconds < SHORTEST_SECONDS) {
            errors.invalid(path, Json.of(seconds), "may not specify a duration less than 10 minutes");
        }
        if (seconds > LONGEST_SECONDS) {
            errors.invalid(path, Json.of(seconds), "may not specify a duration larger than 2^32 seconds");
        }
        if (!errors.isEmpty()) {
            throw StatusError.invalid(GROUP, KIND, "", errors.errors());
        }
    }

    private Bound bound(Resource account, Json.Obj request) {
        if (!(request.at("spec", "boundObjectRef") instanceof Json.Obj reference)) {
            return Bound.NOTHING;
        }
        var kind = reference.string("kind");
        var name = reference.string("name");
        var core = !reference.string("apiVersion").contains("/");
        var bound = switch (core ? kind : "") {
            case "Pod" -> boundToPod(account, name);
            case "Secret" -> {
                var secret = reference(require(account, "secrets", account.namespace(), name));
                yield new Bound(Optional.empty(), Optional.of(secret), Optional.empty());
            }
            case "Node" -> {
                var node = reference(require(account, "nodes", "", name));
                yield new Bound(Optional.empty(), Optional.empty(), Optional.of(node));
            }
            default ->
                throw StatusError.badRequest("cannot bind token to object of type " + (core ? "/" : "")
                        + reference.string("apiVersion") + ", Kind=" + kind);
        };
        var uid = reference.string("uid");
        if (!uid.isEmpty() && !uid.equals(bound.target().uid())) {
            throw StatusError.conflict(
                    new GroupResource("", kind),
                    name,
                    "the UID in the bound object reference (" + uid
                            + ") does not match the UID in record. The object might have been deleted and then recreated");
        }
        return bound;
    }

    private Bound boundToPod(Resource account, String name) {
        var pod = require(account, "pods", account.namespace(), name);
        if (!pod.spec().string("serviceAccountName").equals(account.name())) {
            throw StatusError.badRequest("cannot bind token for serviceaccount \"" + account.name()
                    + "\" to pod running with different serviceaccount name.");
        }
        return new Bound(Optional.of(reference(pod)), Optional.empty(), nodeOf(pod));
    }

    private Optional<Reference> nodeOf(Resource pod) {
        var name = pod.spec().string("nodeName");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        var node = objects.find(new Key(new GroupResource("", "nodes"), pod.cluster(), "", name));
        return Optional.of(
                new Reference(name, node == null ? "" : Resource.of(node).uid()));
    }

    private Resource require(Resource account, String plural, String namespace, String name) {
        var resource = new GroupResource("", plural);
        var found = objects.find(new Key(resource, account.cluster(), namespace, name));
        if (found == null) {
            throw StatusError.notFound(resource, name);
        }
        return new Resource(account.cluster(), found);
    }

    private static Reference reference(Resource resource) {
        return new Reference(resource.name(), resource.uid());
    }

    private ServiceAccountClaims claims(Resource account, Bound bound, Json.Obj request, Instant now) {
        var audiences = request.array("spec", "audiences").strings();
        long asked = request.integer("spec", "expirationSeconds");
        boolean extended = bound.pod().isPresent() && asked == PROJECTED_SECONDS && isForUs(audiences);
        return new ServiceAccountClaims(
                UUID.randomUUID().toString(),
                account.cluster(),
                account.namespace(),
                reference(account),
                bound.pod(),
                bound.secret(),
                bound.node(),
                audiences,
                now,
                now,
                now.plusSeconds(extended ? EXTENDED_SECONDS : asked),
                extended ? Optional.of(now.plusSeconds(asked)) : Optional.empty());
    }

    private boolean isForUs(List<String> audiences) {
        return tokens.audiences().containsAll(audiences);
    }

    private static Json.Obj answer(Resource account, Json.Obj request, String token, Instant now) {
        var metadata = request.object("metadata")
                .with("name", Json.of(account.name()))
                .with("namespace", Json.of(account.namespace()))
                .with("uid", Json.of(account.uid()))
                .with("creationTimestamp", Json.of(now.toString()));
        var expires = now.plusSeconds(request.integer("spec", "expirationSeconds"));
        var status = Json.Obj.of("token", Json.of(token), "expirationTimestamp", Json.of(expires.toString()));
        return Json.Obj.builder()
                .put("kind", KIND)
                .put("apiVersion", GROUP + "/v1")
                .put("metadata", metadata)
                .put("spec", Zeros.fill(request.object("spec"), SPEC))
                .put("status", status)
                .build();
    }
}
