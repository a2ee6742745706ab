package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Selection;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.crd.DefinedKinds;
import dev.towtank.model.kinds.BuiltinKinds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Kinds by the names that objects in files have.
final class KnownKinds {

    private static final Map<String, Kind<?>> BUILT_IN = Stream.concat(
                    BuiltinKinds.ALL.stream(), Stream.<Kind<?>>of(CustomResourceDefinitions.KIND))
            .collect(Collectors.toUnmodifiableMap(KnownKinds::key, kind -> kind, (first, _) -> first));

    private final Cluster cluster;
    private final Supplier<List<Resource>> definitions;

    /// @param definitions perhaps a little old: whatever it does not know is asked for
    KnownKinds(Cluster cluster, Supplier<List<Resource>> definitions) {
        this.cluster = cluster;
        this.definitions = definitions;
    }

    private static String key(Kind<?> kind) {
        return kind.apiVersion() + " " + kind.kind();
    }

    Optional<Kind<?>> find(LogicalCluster place, String apiVersion, String kind) {
        var builtIn = Optional.<Kind<?>>ofNullable(BUILT_IN.get(apiVersion + " " + kind));
        return builtIn.isPresent()
                ? builtIn
                : among(definitions.get(), place, apiVersion, kind)
                        .or(() -> among(
                                cluster.list(CustomResourceDefinitions.KIND, Selection.in(place))
                                        .items(),
                                place,
                                apiVersion,
                                kind));
    }

    private static Optional<Kind<?>> among(
            List<Resource> definitions, LogicalCluster place, String apiVersion, String kind) {
        var there = definitions.stream()
                .filter(each -> each.cluster().equals(place))
                .map(Resource::json);
        return DefinedKinds.find(there, apiVersion, kind).map(found -> found);
    }
}
