package dev.towtank.app.secrets;

import dev.towtank.app.secrets.ChainFacts.Source;
import dev.towtank.controllers.secrets.api.StalePods;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Judges the links of a chain. Pure; no value of a Secret is in what it says.
final class Explained {

    private final ChainFacts facts;
    private final String namespace;
    private final String name;
    private final List<Link> links = new ArrayList<>();

    private Explained(ChainFacts facts) {
        this.facts = facts;
        this.namespace = facts.externalSecret().namespace();
        this.name = facts.externalSecret().name();
    }

    static Chain of(ChainFacts facts) {
        var explained = new Explained(facts);
        explained.claims();
        explained.keys();
        explained.store();
        explained.externalSecret();
        explained.target();
        explained.bucket();
        explained.pods();
        return new Chain(explained.namespace, explained.name, explained.links);
    }

    private boolean isWholeSoFar() {
        return links.stream().allMatch(Link::isWhole);
    }

    private void claims() {
        for (var source : facts.sources()) {
            source.claim().ifPresent(claim -> links.add(claim(source, claim)));
        }
    }

    private static Link claim(Source source, Resource claim) {
        var title = "ObjectBucketClaim " + source.title();
        var phase = claim.status().string("phase");
        var message = claim.status().string("message");
        var look = "kubectl -n " + source.namespace() + " describe objectbucketclaim " + source.name();
        return switch (phase) {
            case "Bound" ->
                Link.whole("claim", title, "has the bucket " + claim.spec().string("bucketName"));
            case "Failed" -> Link.broken("claim", title, "failed", message, look);
            default ->
                Link.waiting(
                        "claim", title, "has no bucket yet", message.isEmpty() ? "it is being made" : message, look);
        };
    }

    private void keys() {
        facts.sources()
                .forEach(source -> links.add(
                        source.secret().map(secret -> present(source, secret)).orElseGet(() -> absent(source))));
    }

    private static Link present(Source source, Resource secret) {
        var there = new TreeSet<>(secret.json().object("data").keys());
        var title = "Secret " + source.title();
        var missing = source.properties().keySet().stream()
                .filter(property -> !there.contains(property))
                // What is not a key may be a path into the JSON of one.
                .filter(property -> !there.contains(property.split("\\.", 2)[0]))
                .sorted()
                .toList();
        var has = "has " + listed(there);
        if (missing.isEmpty()) {
            return Link.whole("keys", title, has);
        }
        var fixes = missing.stream()
                .map(property -> "change " + source.properties().get(property) + ", which asks for " + property
                        + ", or add " + property + " to the Secret")
                .toArray(String[]::new);
        return Link.broken("keys", title, has, "it has no " + String.join(", ", missing), fixes);
    }

    private static Link absent(Source source) {
        var title = "Secret " + source.title();
        if (source.claim()
                .filter(claim -> !claim.status().string("phase").equals("Failed"))
                .isPresent()) {
            return Link.waiting("keys", title, "is not there yet", "its claim makes it once it is Bound");
        }
        if (!source.elsewhere().isEmpty()) {
            return Link.broken(
                    "keys",
                    title,
                    "is not there",
                    "the namespace " + source.namespace() + " has no such Secret, but " + listed(source.elsewhere())
                            + " has",
                    "set provider.kubernetes.remoteNamespace of the store to "
                            + source.elsewhere().getFirst());
        }
        return Link.broken(
                "keys",
                title,
                "is not there",
                "no namespace has a Secret of this name that you may see",
                "claim a bucket of this name in " + source.namespace() + ", create the Secret there, or correct"
                        + " remoteRef.key");
    }

    private static String listed(Iterable<String> names) {
        return String.join(", ", names);
    }

    private void store() {
        var title = facts.storeKind() + " " + facts.storeName();
        if (facts.store().isEmpty()) {
            var others = facts.otherStores();
            links.add(Link.broken(
                    "store",
                    title,
                    "is not there",
                    others.isEmpty() ? "there is no " + facts.storeKind() : "there are: " + listed(others),
                    "create it, or correct spec.secretStoreRef of ExternalSecret " + name));
            return;
        }
        var store = facts.store().get();
        var ready = ready(store);
        if (!facts.missingVerbs().isEmpty()) {
            links.add(forbidden(title, store));
        } else if (ready.isEmpty()) {
            links.add(Link.waiting("store", title, "has not been looked at yet", "nothing has told its state"));
        } else if (ready.get().string("status").equals("True")) {
            links.add(Link.whole(
                    "store",
                    title,
                    remote(store)
                            .map(place -> "may read Secrets of " + place)
                            .orElse(ready.get().string("message"))));
        } else {
            var told = facts.storeEvent();
            links.add(Link.broken(
                    "store",
                    title,
                    ready.get().string("reason"),
                    ready.get().string("message") + (told.isEmpty() ? "" : ": " + told),
                    "correct spec.provider; the store is looked at again at once"));
        }
    }

    private Link forbidden(String title, Resource store) {
        var place = remote(store).orElse("default");
        var account = account(store);
        var role = account.replace('/', '-');
        return Link.broken(
                "store",
                title,
                "may not read Secrets of " + place,
                "ServiceAccount " + account + " cannot " + listed(facts.missingVerbs())
                        + " resource \"secrets\" in the namespace " + place,
                "kubectl -n " + place + " create role " + role + " --verb=get,list,watch --resource=secrets",
                "kubectl -n " + place + " create rolebinding " + role + " --role=" + role + " --serviceaccount="
                        + account.replace('/', ':'));
    }

    private static Optional<String> remote(Resource store) {
        if (!(store.spec().at("provider", "kubernetes") instanceof Json.Obj kubernetes)) {
            return Optional.empty();
        }
        var given = kubernetes.string("remoteNamespace");
        return Optional.of(given.isEmpty() ? "default" : given);
    }

    /// Namespace and name.
    private String account(Resource store) {
        var selector = store.spec().object("provider", "kubernetes", "auth", "serviceAccount");
        var own = selector.string("namespace");
        return (own.isEmpty() || store.kind().equals("SecretStore") ? namespace : own) + "/" + selector.string("name");
    }

    static Optional<Json.Obj> ready(Resource object) {
        return object.status().objects("conditions").stream()
                .filter(condition -> condition.string("type").equals("Ready"))
                .findFirst();
    }

    private void externalSecret() {
        var title = "ExternalSecret " + namespace + "/" + name;
        var ready = ready(facts.externalSecret());
        var cause = facts.externalSecret().status().string("cause");
        if (ready.isEmpty()) {
            links.add(Link.waiting("sync", title, "has not been looked at yet", "nothing has told its state"));
        } else if (ready.get().string("status").equals("True")) {
            links.add(Link.whole("sync", title, ready.get().string("message")));
        } else {
            var reason = cause.isEmpty() ? ready.get().string("message") : cause;
            links.add(
                    isWholeSoFar()
                            ? Link.broken(
                                    "sync",
                                    title,
                                    ready.get().string("message"),
                                    reason,
                                    "kubectl -n " + namespace + " describe externalsecret " + name)
                            : Link.waiting("sync", title, "waits for what is above", reason));
        }
    }

    private void target() {
        var wanted = targetName(facts.externalSecret());
        var title = "Secret " + namespace + "/" + wanted;
        if (facts.target().isPresent()) {
            var keys = new TreeSet<>(facts.target().get().json().object("data").keys());
            links.add(
                    isWholeSoFar()
                            ? Link.whole("secret", title, "has " + listed(keys))
                            : Link.waiting(
                                    "secret",
                                    title,
                                    "keeps " + listed(keys),
                                    "its values are those of the last time that all of the above was whole"));
        } else if (facts.externalSecret()
                .spec()
                .string("target", "creationPolicy")
                .equals("None")) {
            links.add(Link.none("secret", "creationPolicy None makes no Secret"));
        } else {
            links.add(
                    isWholeSoFar()
                            ? Link.broken(
                                    "secret",
                                    title,
                                    "is not there",
                                    ready(facts.externalSecret())
                                            .map(ready -> ready.string("message"))
                                            .orElse(""),
                                    "kubectl -n " + namespace + " describe externalsecret " + name)
                            : Link.waiting("secret", title, "is not there yet", "nothing could be read so far"));
        }
    }

    static String targetName(Resource externalSecret) {
        var given = externalSecret.spec().string("target", "name");
        return given.isEmpty() ? externalSecret.name() : given;
    }

    private void bucket() {
        facts.bucket().ifPresent(answer -> {
            var title = "bucket " + answer.bucket() + " at " + answer.endpoint();
            links.add(
                    answer.problem().isEmpty()
                            ? Link.whole("s3", title, "opens with these keys")
                            : Link.broken(
                                    "s3",
                                    title,
                                    "does not open with these keys",
                                    answer.problem(),
                                    BucketAdvice.of(answer.problem(), namespace, name)));
        });
    }

    private void pods() {
        if (facts.pods().isEmpty()) {
            links.add(Link.none("pods", "no pod uses it now"));
            return;
        }
        var stale = facts.target().stream()
                .flatMap(secret -> StalePods.of(secret, facts.pods()).stream())
                .map(Resource::name)
                .toList();
        var title = facts.pods().stream().map(Resource::name).sorted().collect(Collectors.joining(", "));
        links.add(
                stale.isEmpty()
                        ? Link.whole(
                                "pods",
                                title,
                                facts.pods().size() == 1
                                        ? "has the newest values"
                                        : "all " + facts.pods().size() + " have the newest values")
                        : Link.broken(
                                "pods",
                                title,
                                stale.size() + " of " + facts.pods().size() + " started with older values",
                                "environment variables stay as they were when a container started: " + listed(stale),
                                stale.stream()
                                        .map(pod -> "kubectl -n " + namespace + " delete pod " + pod)
                                        .toArray(String[]::new)));
    }
}
