package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.secrets.PushFacts.Present;
import dev.towtank.controllers.secrets.PushFacts.Source;
import dev.towtank.controllers.secrets.PushFacts.Sources;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.Calls;
import dev.towtank.controllers.secrets.reading.KubernetesProvider;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Secrets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Who looks after PushSecrets, and what they have to know.
final class PushSecrets {

    private final Cache all;
    private final Cache secrets;
    private final Stores stores;
    private final SecretGenerators generators;
    private final TemplateObjects templates;
    private final Abroad abroad;

    PushSecrets(Caches caches, Stores stores, SecretGenerators generators, TemplateObjects templates, Abroad abroad) {
        this.all = caches.of(SecretKinds.PUSH_SECRET);
        this.secrets = caches.of(Secrets.KIND);
        this.stores = stores;
        this.generators = generators;
        this.templates = templates;
        this.abroad = abroad;
    }

    /// @param sender carries out what is done on other servers
    Controller<?, ?> controller(Chance chance, Deed.Doer<PushPlan.Send> sender) {
        return Controller.of(
                        "pushsecret-controller", SecretKinds.PUSH_SECRET, this::facts, new PushSecretReconciler(chance))
                .wokenBy(Trigger.of(Secrets.KIND, this::near))
                .wokenBy(Trigger.of(SecretKinds.SECRET_STORE, this::near))
                .wokenBy(Trigger.of(SecretKinds.CLUSTER_SECRET_STORE, store -> SecretIndexes.here(all, store)))
                .wokenBy(abroad.web())
                .doing(PushPlan.Send.class, sender);
    }

    private List<ObjectName> near(Resource object) {
        return all.in(object.cluster(), object.namespace()).stream()
                .map(ObjectName::of)
                .toList();
    }

    private PushFacts facts(Observed<Json.Obj> observed) {
        var object = observed.object();
        var used = new LinkedHashMap<String, PushFacts.Store>();
        for (var reference : object.spec().objects("secretStoreRefs")) {
            chosen(object, reference)
                    .forEach(each -> store(object, each).ifPresent(store -> used.put(store.key(), store)));
        }
        var old = new ArrayList<PushFacts.Store>();
        for (var key : object.status().object("syncedPushSecrets").keys()) {
            int slash = key.indexOf('/');
            var reference =
                    Json.Obj.of("kind", Json.of(key.substring(0, slash)), "name", Json.of(key.substring(slash + 1)));
            old.add(Optional.ofNullable(used.get(key))
                    .or(() -> store(object, reference))
                    .orElse(PushFacts.Store.unusable(key, "can not reference unmanaged store")));
        }
        return new PushFacts(
                sources(object),
                List.copyOf(used.values()),
                old,
                templates.of(object, object.spec().object("template")));
    }

    private Sources sources(Resource object) {
        var selector = object.spec().object("selector");
        try {
            if (selector.get("generatorRef") instanceof Json.Obj generator) {
                boolean isDue = new Refresh(object).isDue(abroad.clock().instant());
                var made = isDue ? generators.make(object, generator, "selector") : new TreeMap<String, byte[]>();
                return new Sources.Found(List.of(new Source("", made, Map.of(), Map.of())));
            }
            var name = selector.string("secret", "name");
            if (!name.isEmpty()) {
                return secrets.get(new ObjectName(object.cluster(), object.namespace(), name))
                        .<Sources>map(secret -> new Sources.Found(List.of(source(secret))))
                        .orElse(new Sources.Missing());
            }
            var labels = LabelSelector.of(selector.object("secret", "selector"));
            return new Sources.Found(secrets.select(object.cluster(), object.namespace(), labels).stream()
                    .map(PushSecrets::source)
                    .toList());
        } catch (Calls.Waiting e) {
            return new Sources.Awaited();
        } catch (ReadProblem e) {
            return new Sources.Unusable("could not get source secret: " + e.text());
        } catch (StatusError e) {
            return new Sources.Unusable("could not get source secret: " + e.text());
        }
    }

    private static Source source(Resource secret) {
        return new Source(
                secret.json().string("type"), KubernetesProvider.data(secret), secret.labels(), secret.annotations());
    }

    /// The stores that a reference means, by name or by labels.
    private List<Json.Obj> chosen(Resource object, Json.Obj reference) {
        if (!(reference.get("labelSelector") instanceof Json.Obj selector)) {
            return List.of(reference);
        }
        try {
            return stores.select(object, reference, LabelSelector.of(selector)).stream()
                    .map(name -> reference.without("labelSelector").with("name", Json.of(name)))
                    .toList();
        } catch (StatusError e) {
            return List.of(reference.without("labelSelector").with("name", Json.of("")));
        }
    }

    /// What is known about a store; nothing where it is left to another installation.
    private Optional<PushFacts.Store> store(Resource object, Json.Obj reference) {
        var kind = Stores.isClusterWide(reference) ? "ClusterSecretStore" : "SecretStore";
        var key = kind + "/" + reference.string("name");
        try {
            var found = stores.usable(object, reference);
            if (!found.isKubernetes()) {
                var provider = String.join(", ", found.provider().keys());
                return Optional.of(PushFacts.Store.unusable(key, "provider " + provider + " takes no secrets here"));
            }
            var near = new StoreParts.Near(found.object(), object.namespace());
            return Optional.of(found.isElsewhere() ? remote(key, found, near, object) : own(key, found, near, object));
        } catch (Calls.Waiting e) {
            return Optional.of(PushFacts.Store.awaited(key));
        } catch (ReadProblem e) {
            boolean isOthers = stores.find(object, reference)
                    .filter(store -> !store.isOurs())
                    .isPresent();
            return isOthers ? Optional.empty() : Optional.of(PushFacts.Store.unusable(key, e.text()));
        }
    }

    private PushFacts.Store own(String key, Store store, StoreParts.Near near, Resource object) {
        var own = stores.own(store, near);
        var present = new TreeMap<String, Present>();
        for (var name : names(object)) {
            var secret = own.get(name);
            present.put(
                    name,
                    new Present(
                            secret,
                            problem(own, secret.isEmpty() ? "create" : "update", secret.isEmpty() ? "" : name),
                            problem(own, "delete", name)));
        }
        return new PushFacts.Store(key, "", false, own.namespace(), Optional.empty(), present);
    }

    private static String problem(OwnSecrets own, String verb, String name) {
        try {
            own.check(verb, name);
            return "";
        } catch (ReadProblem e) {
            return e.text();
        }
    }

    /// Who may do what there is found out when it is done.
    private PushFacts.Store remote(String key, Store store, StoreParts.Near near, Resource object) {
        var server = stores.elsewhere().remote(store, near, object);
        var present = new TreeMap<String, Present>();
        boolean isAwaited = false;
        for (var name : names(object)) {
            try {
                present.put(name, new Present(server.get(name), "", ""));
            } catch (Calls.Waiting e) {
                isAwaited = true;
            }
        }
        return new PushFacts.Store(key, "", isAwaited, server.namespace(), Optional.of(server), present);
    }

    private static Set<String> names(Resource object) {
        var names = new TreeSet<String>();
        object.spec().objects("data").forEach(line -> names.add(new PushEntry(line).remoteKey()));
        var synced = object.status().object("syncedPushSecrets");
        for (var store : synced.keys()) {
            synced.object(store).forEach((_, line) -> {
                if (line instanceof Json.Obj old) {
                    names.add(new PushEntry(old).remoteKey());
                }
            });
        }
        return names;
    }
}
