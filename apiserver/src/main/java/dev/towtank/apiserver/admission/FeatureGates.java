package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Write;
import dev.towtank.cluster.Gate;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Asks the gates of features about writes of their kinds.
public final class FeatureGates implements Admission {

    private final Map<GroupResource, List<Gate>> gates = new HashMap<>();
    private final Gate.World world;

    public FeatureGates(Store store, List<Gate> gates) {
        gates.forEach(gate -> gate.kinds()
                .forEach(kind -> this.gates
                        .computeIfAbsent(kind.resource(), _ -> new ArrayList<>())
                        .add(gate)));
        this.world = new StoredWorld(store);
    }

    private List<Gate> asked(Review review) {
        return review.object() == null || !review.subresource().isEmpty()
                ? List.of()
                : gates.getOrDefault(review.kind().resource(), List.of());
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        var changed = object;
        for (var gate : asked(review)) {
            changed = gate.change(entry(review, changed), world);
        }
        return changed;
    }

    @Override
    public void check(Review review) {
        var object = review.object();
        if (object != null) {
            asked(review).forEach(gate -> gate.check(entry(review, object), world));
        }
    }

    @Override
    public List<Write> alongside(Review review) {
        var object = review.object();
        var writes = new ArrayList<Write>();
        if (object != null) {
            for (var gate : asked(review)) {
                gate.alongside(entry(review, object), world).forEach(companion -> writes.add(write(companion)));
            }
        }
        return writes;
    }

    private static Gate.Entry entry(Review review, Json.Obj object) {
        var user = review.call().user();
        return new Gate.Entry(
                review.kind(), review.cluster(), review.namespace(), object, review.old(), user.name(), user.groups());
    }

    private static Write write(Gate.Companion companion) {
        var seen = companion.seen();
        var key = new Key(companion.kind().resource(), seen.cluster(), seen.namespace(), seen.name());
        return new Write.Update(key, Long.parseLong(seen.resourceVersion()), companion.wanted());
    }

    private record StoredWorld(Store store) implements Gate.World {
        @Override
        public Optional<Resource> get(Kind<?> kind, ObjectName name) {
            var key = new Key(kind.resource(), name.cluster(), name.namespace(), name.name());
            return Optional.ofNullable(store.get(key)).map(found -> new Resource(name.cluster(), found.tree()));
        }

        @Override
        public List<Resource> list(Kind<?> kind, LogicalCluster cluster, String namespace) {
            return list(Range.of(kind.resource(), cluster, namespace), cluster);
        }

        @Override
        public List<Resource> list(Kind<?> kind, LogicalCluster cluster) {
            return list(Range.of(kind.resource(), cluster), cluster);
        }

        private List<Resource> list(Range range, LogicalCluster cluster) {
            return store.list(range, 0, null, 0).items().stream()
                    .map(found -> new Resource(cluster, found.tree()))
                    .toList();
        }
    }
}
