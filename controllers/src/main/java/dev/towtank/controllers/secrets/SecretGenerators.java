package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.Generator;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// From a reference to a generator to what it makes. For one refresh of one object that is always the same.
final class SecretGenerators {

    private final TreeMap<String, Cache> namespaced = new TreeMap<>();
    private final Cache clusterWide;
    private final ElsewhereStores elsewhere;
    private final Chance chance;

    SecretGenerators(Caches caches, ElsewhereStores elsewhere, Chance chance) {
        SecretKinds.GENERATORS.forEach(kind -> namespaced.put(kind.kind(), caches.of(kind)));
        this.clusterWide = caches.of(SecretKinds.CLUSTER_GENERATOR);
        this.elsewhere = elsewhere;
        this.chance = chance;
    }

    /// @param place in the asker, for each of its references makes something else
    NavigableMap<String, byte[]> make(Resource asker, Json.Obj reference, String place) {
        var kind = reference.string("kind");
        var name = reference.string("name");
        boolean isClusterWide = kind.equals(SecretKinds.CLUSTER_GENERATOR.kind());
        var cache = isClusterWide ? clusterWide : namespaced.get(kind);
        if (cache == null) {
            throw ReadProblem.of(unsupported(kind));
        }
        var generator = cache.get(new ObjectName(asker.cluster(), isClusterWide ? "" : asker.namespace(), name))
                .orElseThrow(() ->
                        ReadProblem.of("unable to resolve generator: " + kind + " " + Json.of(name) + " not found"));
        var spec = generator.spec();
        return isClusterWide
                ? make(spec.string("kind"), spec.object("generator", field(spec.string("kind"))), asker, place)
                : make(kind, spec, asker, place);
    }

    private static String field(String kind) {
        return kind.equals("UUID")
                ? "uuidSpec"
                : kind.substring(0, 1).toLowerCase(Locale.ROOT) + kind.substring(1) + "Spec";
    }

    static String unsupported(String kind) {
        return "generator " + Json.of(kind) + " is not supported here; there are: ClusterGenerator, "
                + String.join(", ", Generator.KINDS);
    }

    private NavigableMap<String, byte[]> make(String kind, Json.Obj spec, Resource asker, String place) {
        return switch (kind) {
            case "Fake" -> Generator.fake(spec);
            case "UUID" -> Generator.uuid(random(asker, place));
            case "Password" -> Generator.passwords(spec, random(asker, place));
            // Not even one of the whole cluster looks further than the namespace that it is used in.
            case "Webhook" ->
                elsewhere
                        .generator(spec, new StoreParts.Near(asker, asker.namespace()), asker)
                        .generated();
            default -> throw ReadProblem.of(unsupported(kind));
        };
    }

    private RandomGenerator random(Resource asker, String place) {
        var refresh = new Refresh(asker).last().orElse(Instant.EPOCH);
        return chance.of(asker.uid() + "/" + place + "/" + Hashes.version(asker), refresh)
                .random();
    }
}
