package dev.towtank.apiserver.catalog;

import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.LazyShape;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.apiserver.webhook.WebhookClient;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.crd.CrdKinds;
import dev.towtank.model.crd.CrdStatus;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.crd.SchemaCache;
import dev.towtank.model.crd.VersionOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The built-in kinds, and those that the definitions in a logical cluster add.
///
/// Some definitions of the default cluster are shared: every other cluster has them, too, without a copy. One of the
/// same name in a cluster goes before the shared one there.
///
/// A definition counts from its commit on: it is looked up in the store, and what it defines is kept as long as that
/// version of it is in memory. Schemas are compiled once for all clusters that have the same.
public final class CustomCatalog implements Catalog {

    private static final Comparator<Served> ORDER = Comparator.comparing(
                    (Served served) -> served.kind().group())
            .thenComparing(served -> served.kind().version(), VersionOrder.PREFERRED_FIRST)
            .thenComparing(served -> served.kind().plural());

    private final Catalog builtin;
    private final Store store;
    private final CrdKinds kinds;
    private final WebhookClient webhooks;
    private final RandomGenerator random;
    private final Map<Stored, List<Served>> defined = Collections.synchronizedMap(new WeakHashMap<>());
    private final Map<Kind<?>, Supplier<Json.Obj>> schemas = Collections.synchronizedMap(new WeakHashMap<>());
    private volatile Set<String> shared = Set.of();

    /// @param behaviours of the kinds that do more than their schemas say
    /// @param webhooks who converts where a definition asks for it
    public CustomCatalog(
            Catalog builtin,
            Store store,
            List<KindBehaviour> behaviours,
            WebhookClient webhooks,
            RandomGenerator random) {
        this.builtin = builtin;
        this.store = store;
        this.kinds = new CrdKinds(new SchemaCache(), behaviours);
        this.webhooks = webhooks;
        this.random = random;
    }

    /// @param names of the definitions in the default cluster that every cluster has
    public void share(Set<String> names) {
        shared = Set.copyOf(names);
    }

    @Override
    public List<Served> served(LogicalCluster cluster) {
        var custom = new ArrayList<Served>();
        for (var definition : definitions(cluster)) {
            custom.addAll(defined(definition));
        }
        custom.sort(ORDER);
        var all = new ArrayList<>(builtin.served(cluster));
        all.addAll(custom);
        return all;
    }

    @Override
    public Optional<Served> find(LogicalCluster cluster, String group, String version, String resource) {
        var name = resource + "." + group;
        return builtin.find(cluster, group, version, resource)
                .or(() -> definition(cluster, name).flatMap(found -> inVersion(found, version)))
                .or(() -> cluster.equals(LogicalCluster.ALL) ? anywhere(name, version) : Optional.empty());
    }

    private Optional<Served> inVersion(Stored definition, String version) {
        return defined(definition).stream()
                .filter(served -> served.kind().version().equals(version))
                .findFirst();
    }

    /// Of a kind that only some clusters have, for whoever follows all of them.
    private Optional<Served> anywhere(String name, String version) {
        return store.list(Range.of(CustomResourceDefinitions.KIND.resource()), 0, null, 0).items().stream()
                .filter(definition -> definition.key().name().equals(name))
                .flatMap(definition -> inVersion(definition, version).stream())
                .findFirst();
    }

    @Override
    public Optional<Served> findKind(LogicalCluster cluster, String group, String kind) {
        var known = builtin.findKind(cluster, group, kind);
        if (known.isPresent()) {
            return known;
        }
        for (var definition : definitions(cluster)) {
            // The name of a definition ends with its group, so others need no look.
            if (definition.key().name().endsWith("." + group)) {
                for (var served : defined(definition)) {
                    if (served.kind().kind().equals(kind)) {
                        return Optional.of(served);
                    }
                }
            }
        }
        return Optional.empty();
    }

    /// The schema of a custom kind, for the documents that describe it.
    public Optional<Json.Obj> schema(Kind<?> kind) {
        return Optional.ofNullable(schemas.get(kind)).map(Supplier::get);
    }

    private List<Stored> definitions(LogicalCluster cluster) {
        var own = store.list(Range.of(CustomResourceDefinitions.KIND.resource(), cluster), 0, null, 0)
                .items();
        if (cluster.equals(LogicalCluster.DEFAULT) || cluster.equals(LogicalCluster.ALL)) {
            return own;
        }
        var all = new TreeMap<String, Stored>();
        shared.forEach(name -> stored(LogicalCluster.DEFAULT, name).ifPresent(found -> all.put(name, found)));
        own.forEach(definition -> all.put(definition.key().name(), definition));
        return List.copyOf(all.values());
    }

    private Optional<Stored> definition(LogicalCluster cluster, String name) {
        if (cluster.equals(LogicalCluster.DEFAULT) || cluster.equals(LogicalCluster.ALL)) {
            return stored(LogicalCluster.DEFAULT, name);
        }
        var own = stored(cluster, name);
        return own.isEmpty() && shared.contains(name) ? stored(LogicalCluster.DEFAULT, name) : own;
    }

    private Optional<Stored> stored(LogicalCluster cluster, String name) {
        return Optional.ofNullable(store.get(new Key(CustomResourceDefinitions.KIND.resource(), cluster, "", name)));
    }

    private List<Served> defined(Stored definition) {
        return defined.computeIfAbsent(definition, this::compile);
    }

    private List<Served> compile(Stored definition) {
        var bytes = definition.bytes();
        // Schemas are most of a definition, and mostly nobody asks for them.
        var crd = JsonText.parseWithout(bytes, "schema");
        if (!CrdStatus.isEstablished(crd)) {
            return List.of();
        }
        // Not the definition itself: what it defines must not keep it in memory.
        Supplier<Json.Obj> later = () -> JsonText.parseObject(bytes);
        var versions = versions(definition, crd, later);
        var all = new ArrayList<Served>();
        for (var kind : kinds.served(crd, later)) {
            var version = kind.version();
            // Without the kind itself, or it would never be forgotten.
            schemas.put(kind, () -> CrdKinds.openApiSchema(later.get(), version));
            var conversion = new VersionConversion(versions, kind.apiVersion(), definition.revision());
            all.add(new Served(kind, kind.resource(), conversion, EnumSet.allOf(Verb.class), versions));
        }
        return List.copyOf(all);
    }

    private CustomVersions versions(Stored definition, Json.Obj crd, Supplier<Json.Obj> later) {
        var group = crd.string("spec", "group") + "/";
        var versions = new HashMap<String, CustomVersions.Version>();
        kinds.schemas(crd, later).forEach((apiVersion, schema) -> {
            var version = apiVersion.substring(group.length());
            var shape = LazyShape.custom(() -> CrdKinds.openApiSchema(later.get(), version));
            versions.put(apiVersion, new CustomVersions.Version(schema, shape));
        });
        return new CustomVersions(converter(definition, crd), versions, group + CrdKinds.storageVersion(crd));
    }

    private VersionConverter converter(Stored definition, Json.Obj crd) {
        var own = kinds.behaviour(crd).flatMap(KindBehaviour::converter);
        if (own.isPresent()) {
            return new OwnConverter(own.get());
        }
        var conversion = crd.object("spec", "conversion");
        return conversion.string("strategy").equals("Webhook")
                ? new WebhookConverter(webhooks, definition.key().cluster(), conversion.object("webhook"), random)
                : VersionConverter.RELABEL;
    }
}
