package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Quantity;
import dev.towtank.model.kinds.QuotaUsage;
import dev.towtank.model.kinds.ResourceLists;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Adds up what the objects of a namespace take from a quota.
final class QuotaTotals {

    static final GroupResource QUOTAS = new GroupResource("", "resourcequotas");

    private static final Set<String> COUNTED = Set.of(
            "configmaps", "persistentvolumeclaims", "replicationcontrollers", "resourcequotas", "secrets", "services");

    private QuotaTotals() {}

    static List<Stored> quotas(Store store, LogicalCluster cluster, String namespace) {
        return store.list(Range.of(QUOTAS, cluster, namespace), 0, null, 0).items();
    }

    /// What is used now, with a number for everything that the quota limits.
    static Map<String, Quantity> used(Store store, Stored quota, Instant now) {
        var tree = quota.tree();
        var total = new TreeMap<String, Quantity>();
        hard(tree).keySet().forEach(name -> total.put(name, Quantity.ZERO));
        for (var resource : resources(total.keySet())) {
            var range = Range.of(resource, quota.key().cluster(), quota.key().namespace());
            for (var stored : store.list(range, 0, null, 0).items()) {
                add(total, QuotaUsage.charged(tree, resource, stored.tree(), now));
            }
        }
        return total;
    }

    static Map<String, Quantity> hard(Json.Obj quota) {
        return amounts(quota.object("spec", "hard"));
    }

    static Map<String, Quantity> amounts(Json.Obj resources) {
        var amounts = new TreeMap<String, Quantity>();
        resources.forEach(
                (name, value) -> ResourceLists.quantity(value).ifPresent(amount -> amounts.put(name, amount)));
        return amounts;
    }

    static Map<String, Quantity> sum(Map<String, Quantity> one, Map<String, Quantity> other) {
        var sum = new TreeMap<>(one);
        add(sum, other);
        return sum;
    }

    private static void add(Map<String, Quantity> total, Map<String, Quantity> more) {
        more.forEach((name, amount) -> total.merge(name, amount, Quantity::plus));
    }

    static Json.Obj withUsed(Json.Obj quota, Map<String, Quantity> used) {
        var status = quota.object("status").with("hard", quota.object("spec", "hard"));
        return quota.with("status", status.with("used", json(used)));
    }

    private static Json.Obj json(Map<String, Quantity> amounts) {
        var builder = Json.Obj.builder();
        amounts.forEach((name, amount) -> builder.put(name, amount.toString()));
        return builder.build();
    }

    /// The resources whose objects can take anything of what a quota limits.
    static Set<GroupResource> resources(Set<String> limited) {
        var resources = new TreeSet<GroupResource>();
        for (var name : limited) {
            if (name.startsWith("count/")) {
                resources.add(GroupResource.parse(name.substring("count/".length())));
            } else if (name.equals("requests.storage") || name.contains(".storageclass.storage.k8s.io/")) {
                resources.add(new GroupResource("", "persistentvolumeclaims"));
            } else if (name.startsWith("services.")) {
                resources.add(new GroupResource("", "services"));
            } else {
                resources.add(new GroupResource("", COUNTED.contains(name) ? name : "pods"));
            }
        }
        return resources;
    }
}
