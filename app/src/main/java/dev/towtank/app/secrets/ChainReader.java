package dev.towtank.app.secrets;

import dev.towtank.app.client.ApiClient;
import dev.towtank.app.client.ClientProblem;
import dev.towtank.app.secrets.ChainFacts.BucketAnswer;
import dev.towtank.app.secrets.ChainFacts.Source;
import dev.towtank.controllers.secrets.api.StalePods;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Asks a server for all that belongs to a chain.
public final class ChainReader {

    private static final String ES = "/apis/external-secrets.io/v1";
    private static final String CLAIMS = "/apis/objectbucket.io/v1alpha1";
    private static final String CORE = "/api/v1";

    private final ApiClient client;
    private final InstantSource clock;

    public ChainReader(ApiClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    /// One for each ExternalSecret of this name, or that makes a Secret of this name.
    public List<Chain> explain(String namespace, String name) {
        var all = list(path(ES, namespace, "externalsecrets", ""), "ExternalSecret");
        var meant = all.stream()
                .filter(each -> Explained.targetName(each).equals(name))
                .toList();
        var found = meant.isEmpty()
                ? all.stream().filter(each -> each.name().equals(name)).toList()
                : meant;
        if (found.isEmpty()) {
            throw new ClientProblem("No ExternalSecret in namespace " + namespace + " is called " + name
                    + " or makes a Secret of this name. "
                    + (all.isEmpty()
                            ? "There is none: choose another namespace with -n."
                            : "There are: " + all.stream().map(Resource::name).collect(Collectors.joining(", "))
                                    + "."));
        }
        return found.stream().map(each -> Explained.of(facts(each))).toList();
    }

    private ChainFacts facts(Resource externalSecret) {
        var namespace = externalSecret.namespace();
        var reference = externalSecret.spec().object("secretStoreRef");
        boolean isClusterWide = reference.string("kind").equals("ClusterSecretStore");
        var plural = isClusterWide ? "clustersecretstores" : "secretstores";
        var kind = isClusterWide ? "ClusterSecretStore" : "SecretStore";
        var place = isClusterWide ? "" : namespace;
        var store = find(path(ES, place, plural, reference.string("name")));
        var target = find(path(CORE, namespace, "secrets", Explained.targetName(externalSecret)));
        return new ChainFacts(
                externalSecret,
                kind,
                reference.string("name"),
                store,
                store.map(this::warning).orElse(""),
                store.isPresent()
                        ? List.of()
                        : list(path(ES, place, plural, ""), kind).stream()
                                .map(Resource::name)
                                .toList(),
                store.map(each -> sources(externalSecret, each)).orElse(List.of()),
                store.map(each -> missingVerbs(externalSecret, each)).orElse(List.of()),
                target,
                pods(namespace, Explained.targetName(externalSecret)),
                target.flatMap(this::bucket));
    }

    private static String path(String base, String namespace, String plural, String name) {
        return base + (namespace.isEmpty() ? "" : "/namespaces/" + segment(namespace)) + "/" + plural
                + (name.isEmpty() ? "" : "/" + segment(name));
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private Optional<Resource> find(String path) {
        return client.find(path).map(Resource::of);
    }

    private List<Resource> list(String path, String kind) {
        return client.find(path).stream()
                .flatMap(page -> page.objects("items").stream())
                .map(item -> Resource.of(item.with("kind", Json.of(kind))))
                .toList();
    }

    /// What was told last, where it was a warning.
    private String warning(Resource store) {
        var place = store.namespace().isEmpty() ? "default" : store.namespace();
        return list(path(CORE, place, "events", ""), "Event").stream()
                .filter(event -> event.json().string("involvedObject", "uid").equals(store.uid()))
                .max((one, other) -> one.json()
                        .string("lastTimestamp")
                        .compareTo(other.json().string("lastTimestamp")))
                .filter(event -> event.json().string("type").equals("Warning"))
                .map(event -> event.json().string("message"))
                .orElse("");
    }

    private List<Source> sources(Resource externalSecret, Resource store) {
        if (!isHere(store)) {
            return List.of();
        }
        var given = store.spec().string("provider", "kubernetes", "remoteNamespace");
        var namespace = given.isEmpty() ? "default" : given;
        var wanted = new LinkedHashMap<String, Map<String, String>>();
        var data = externalSecret.spec().objects("data");
        for (int i = 0; i < data.size(); i++) {
            var reference = data.get(i).object("remoteRef");
            var properties = wanted.computeIfAbsent(reference.string("key"), _ -> new LinkedHashMap<>());
            boolean isValue = !reference.string("property").isEmpty()
                    && !reference.string("metadataPolicy").equals("Fetch");
            if (isValue) {
                properties.put(reference.string("property"), "spec.data[" + i + "].remoteRef.property");
            }
        }
        for (var from : externalSecret.spec().objects("dataFrom")) {
            var key = from.string("extract", "key");
            if (!key.isEmpty()) {
                wanted.computeIfAbsent(key, _ -> new LinkedHashMap<>());
            }
        }
        var sources = new ArrayList<Source>();
        wanted.forEach((name, properties) -> sources.add(source(namespace, name, properties)));
        return sources;
    }

    private Source source(String namespace, String name, Map<String, String> properties) {
        var secret = find(path(CORE, namespace, "secrets", name));
        return new Source(
                namespace,
                name,
                properties,
                secret,
                find(path(CLAIMS, namespace, "objectbucketclaims", name)),
                secret.isPresent() ? List.of() : elsewhere(name));
    }

    private List<String> elsewhere(String name) {
        try {
            return list(CORE + "/secrets?fieldSelector=" + segment("metadata.name=" + name), "Secret").stream()
                    .map(Resource::namespace)
                    .sorted()
                    .toList();
        } catch (StatusError e) {
            return List.of(); // who may not look everywhere is not told
        }
    }

    /// Whether it reads of the server that we talk to.
    private static boolean isHere(Resource store) {
        return store.spec().at("provider", "kubernetes") instanceof Json.Obj kubernetes
                && kubernetes.string("server", "url").matches("(https://)?(kubernetes\\.default.*)?");
    }

    private List<String> missingVerbs(Resource externalSecret, Resource store) {
        var selector = store.spec().object("provider", "kubernetes", "auth", "serviceAccount");
        if (!isHere(store) || selector.string("name").isEmpty()) {
            return List.of();
        }
        var own = selector.string("namespace");
        var namespace = own.isEmpty() || store.kind().equals("SecretStore") ? externalSecret.namespace() : own;
        boolean finds = externalSecret.spec().objects("dataFrom").stream().anyMatch(from -> from.has("find"));
        var remote = store.spec().string("provider", "kubernetes", "remoteNamespace");
        return (finds ? List.of("get", "list") : List.of("get"))
                .stream()
                        .filter(verb ->
                                !mayDo(namespace, selector.string("name"), verb, remote.isEmpty() ? "default" : remote))
                        .toList();
    }

    private boolean mayDo(String namespace, String account, String verb, String where) {
        var attributes = Json.Obj.ofStrings(Map.of("verb", verb, "namespace", where, "resource", "secrets"));
        var spec = Json.Obj.builder()
                .put("user", "system:serviceaccount:" + namespace + ":" + account)
                .put(
                        "groups",
                        Json.Arr.ofStrings(List.of(
                                "system:serviceaccounts",
                                "system:serviceaccounts:" + namespace,
                                "system:authenticated")))
                .put("resourceAttributes", attributes)
                .build();
        var review = Json.Obj.of(
                "apiVersion", Json.of("authorization.k8s.io/v1"), "kind", Json.of("SubjectAccessReview"), "spec", spec);
        try {
            return client.send("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", "application/json", review)
                    .flag("status", "allowed");
        } catch (StatusError e) {
            return true; // who may not ask goes by what the store says of itself
        }
    }

    private List<Resource> pods(String namespace, String secret) {
        return list(path(CORE, namespace, "pods", ""), "Pod").stream()
                .filter(pod -> !pod.status().string("phase").matches("Succeeded|Failed"))
                .filter(pod -> StalePods.uses(pod, secret))
                .toList();
    }

    private Optional<BucketAnswer> bucket(Resource target) {
        return BucketProbe.of(target).map(probe -> probe.ask(this::reached, clock));
    }

    /// Where a Service's name leads on this machine: what pods find by name has a port of its own here.
    private Optional<String> reached(String host, String portName) {
        var parts = host.split("\\.", -1);
        if (parts.length < 2) {
            return Optional.empty();
        }
        var slices = path("/apis/discovery.k8s.io/v1", parts[1], "endpointslices", "") + "?labelSelector="
                + segment("kubernetes.io/service-name=" + parts[0]);
        return list(slices, "EndpointSlice").stream()
                .flatMap(slice -> slice.json().objects("ports").stream())
                .filter(port -> port.string("name").equals(portName))
                .map(port -> "127.0.0.1:" + port.integer("port"))
                .findFirst();
    }
}
