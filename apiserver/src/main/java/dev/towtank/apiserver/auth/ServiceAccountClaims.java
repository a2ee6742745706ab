package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.User;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What a service account token says: whose it is, what it is bound to, for whom and how long it is good.
///
/// @param pod the pod it dies with, where it is bound to one; likewise the secret
/// @param node the node of that pod, or the node it is bound to where there is no pod
/// @param warnAfter when the holder should have fetched a new one, where it is good for longer than was asked for
record ServiceAccountClaims(
        String id,
        LogicalCluster cluster,
        String namespace,
        Reference account,
        Optional<Reference> pod,
        Optional<Reference> secret,
        Optional<Reference> node,
        List<String> audiences,
        Instant issued,
        Instant notBefore,
        Instant expires,
        Optional<Instant> warnAfter) {

    static final String CLUSTER_CLAIM = "towtank.dev/cluster";

    private static final String PRIVATE_CLAIMS = "kubernetes.io";
    private static final String EXTRA = "authentication.kubernetes.io/";

    /// @param uid may be empty for the node of a pod that is not registered
    record Reference(String name, String uid) {

        static Optional<Reference> read(Json.Obj holder, String field) {
            return holder.has(field)
                    ? Optional.of(new Reference(holder.string(field, "name"), holder.string(field, "uid")))
                    : Optional.empty();
        }

        Json.Obj json() {
            return Json.Obj.builder().put("name", name).putNonEmpty("uid", uid).build();
        }
    }

    String userName() {
        return userName(namespace, account.name);
    }

    static String userName(String namespace, String name) {
        return "system:serviceaccount:" + namespace + ":" + name;
    }

    User user() {
        Map<String, List<String>> extra = new LinkedHashMap<>();
        extra.put(EXTRA + "credential-id", List.of("JTI=" + id));
        pod.ifPresent(reference -> addTo(extra, "pod", reference));
        node.ifPresent(reference -> addTo(extra, "node", reference));
        var groups = Set.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, User.ALL_AUTHENTICATED);
        return new User(userName(), account.uid, groups, extra);
    }

    private static void addTo(Map<String, List<String>> extra, String what, Reference reference) {
        extra.put(EXTRA + what + "-name", List.of(reference.name));
        if (!reference.uid.isEmpty()) {
            extra.put(EXTRA + what + "-uid", List.of(reference.uid));
        }
    }

    Json.Obj json(String issuer) {
        var bound = Json.Obj.builder().put("namespace", namespace);
        node.ifPresent(reference -> bound.put("node", reference.json()));
        pod.ifPresent(reference -> bound.put("pod", reference.json()));
        secret.ifPresent(reference -> bound.put("secret", reference.json()));
        bound.put("serviceaccount", account.json());
        warnAfter.ifPresent(moment -> bound.put("warnafter", moment.getEpochSecond()));
        return Json.Obj.builder()
                .put("aud", Json.Arr.ofStrings(audiences))
                .put("exp", expires.getEpochSecond())
                .put("iat", issued.getEpochSecond())
                .put("iss", issuer)
                .put("jti", id)
                .put(PRIVATE_CLAIMS, bound.build())
                .put("nbf", notBefore.getEpochSecond())
                .put("sub", userName())
                .put(CLUSTER_CLAIM, cluster.id())
                .build();
    }

    /// Reads what was signed. Whatever is missing makes the token invalid: there is no claim that we do not write.
    static ServiceAccountClaims read(Json.Obj json) {
        var bound = json.object(PRIVATE_CLAIMS);
        var cluster = json.string(CLUSTER_CLAIM);
        var account = Reference.read(bound, "serviceaccount").orElseThrow(ServiceAccountClaims::incomplete);
        if (!LogicalCluster.isValid(cluster) || json.string("jti").isEmpty() || account.uid.isEmpty()) {
            throw incomplete();
        }
        var claims = new ServiceAccountClaims(
                json.string("jti"),
                new LogicalCluster(cluster),
                bound.string("namespace"),
                account,
                Reference.read(bound, "pod"),
                Reference.read(bound, "secret"),
                Reference.read(bound, "node"),
                audiences(json),
                moment(json, "iat"),
                moment(json, "nbf"),
                moment(json, "exp"),
                bound.has("warnafter") ? Optional.of(moment(bound, "warnafter")) : Optional.empty());
        if (!claims.userName().equals(json.string("sub"))) {
            throw incomplete();
        }
        return claims;
    }

    private static List<String> audiences(Json.Obj json) {
        return json.get("aud") instanceof Json.Str(var one)
                ? List.of(one)
                : json.array("aud").strings();
    }

    private static Instant moment(Json.Obj json, String claim) {
        if (json.get(claim) instanceof Json.Int(var seconds)) {
            return Instant.ofEpochSecond(seconds);
        }
        throw incomplete();
    }

    private static Jwt.Invalid incomplete() {
        return new Jwt.Invalid("service account token claims are incomplete");
    }
}
