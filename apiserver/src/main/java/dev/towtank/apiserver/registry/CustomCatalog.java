package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Conversion;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.crd.CrdKinds;
import dev.towtank.model.crd.CrdStatus;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.crd.SchemaCache;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/// The built-in kinds, and those that the definitions in a logical cluster add.
///
/// A definition counts from its commit on: it is looked up in the store, and what it defines is kept as long as that
/// version of it is in memory. Schemas are compiled once for all clusters that have the same.
public final class CustomCatalog implements Catalog {

    private final Catalog builtin;
    private final Store store;
    private final CrdKinds kinds;
    private final Map<Stored, List<Served>> defined = Collections.synchronizedMap(new WeakHashMap<>());
    private final Map<Kind<?>, Json.Obj> schemas = Collections.synchronizedMap(new WeakHashMap<>());

    public CustomCatalog(Catalog builtin, Store store, List<KindBehaviour> behaviours) {
        this.builtin = builtin;
        this.kinds = new CrdKinds(new SchemaCache(), behaviours);
        this.store = store;
    }

    @Override
    public List<Served> served(LogicalCluster cluster) {
        var all = new ArrayList<>(builtin.served(cluster));
        var range = Range.of(CustomResourceDefinitions.KIND.resource(), cluster);
        for (var definition : store.list(range, 0, null, 0).items()) {
            all.addAll(defined(definition));
        }
        return all;
    }

    @Override
    public Optional<Served> find(LogicalCluster cluster, String group, String version, String resource) {
        return builtin.find(cluster, group, version, resource)
                .or(() -> definition(cluster, resource + "." + group)
                        .flatMap(found -> defined(found).stream()
                                .filter(served -> served.kind().version().equals(version))
                                .findFirst()));
    }

    @Override
    public Optional<Served> findKind(LogicalCluster cluster, String group, String kind) {
        return served(cluster).stream()
                .filter(served -> served.kind().group().equals(group)
                        && served.kind().kind().equals(kind))
                .findFirst();
    }

    /// The schema of a custom kind, for the documents that describe it.
    public Optional<Json.Obj> schema(Kind<?> kind) {
        return Optional.ofNullable(schemas.get(kind));
    }

    private Optional<Stored> definition(LogicalCluster cluster, String name) {
        var place = cluster.equals(LogicalCluster.ALL) ? LogicalCluster.DEFAULT : cluster;
        return Optional.ofNullable(store.get(new Key(CustomResourceDefinitions.KIND.resource(), place, "", name)));
    }

    private List<Served> defined(Stored definition) {
        return defined.computeIfAbsent(definition, this::compile);
    }

    private List<Served> compile(Stored definition) {
        var crd = definition.tree();
        if (!CrdStatus.isEstablished(crd)) {
            return List.of();
        }
        var versions = crd.objects("spec", "versions");
        var stored = apiVersion(crd, CrdKinds.storageVersion(crd));
        // Objects of a kind that is being deleted can go, and no new ones come.
        boolean ending = crd.object("metadata").has("deletionTimestamp");
        var verbs = ending ? EnumSet.complementOf(EnumSet.of(Verb.CREATE)) : EnumSet.allOf(Verb.class);
        var all = new ArrayList<Served>();
        for (var kind : kinds.served(crd)) {
            versions.stream()
                    .filter(version -> version.string("name").equals(kind.version()))
                    .forEach(version -> schemas.put(kind, version.object("schema", "openAPIV3Schema")));
            var conversion = versions.size() == 1
                    ? Conversion.NONE
                    : new VersionConversion(converter(crd), kind.apiVersion(), stored);
            all.add(new Served(kind, kind.resource(), conversion, verbs));
        }
        return List.copyOf(all);
    }

    private VersionConverter converter(Json.Obj crd) {
        return kinds.behaviour(crd)
                .flatMap(KindBehaviour::converter)
                .<VersionConverter>map(OwnConverter::new)
                .orElse(VersionConverter.RELABEL);
    }

    private static String apiVersion(Json.Obj crd, String version) {
        return crd.string("spec", "group") + "/" + version;
    }
}
