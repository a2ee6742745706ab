package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.kinds.QuotaUsage;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Keeps what the objects of a namespace use within its ResourceQuotas.
///
/// What an object takes is written into the quota's status in the same commit as the object, and only if the quota is
/// still as it was read. So however many requests run at once, a quota is never exceeded. What is given back is found
/// by
/// [QuotaLoop].
public final class ResourceQuotaAdmission implements Admission {

    private static final GroupResource PODS = new GroupResource("", "pods");

    private final Store store;
    private final InstantSource clock;

    public ResourceQuotaAdmission(Store store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    @Override
    public void check(Review review) {
        // Otherwise the commit asks, and what is true before that says nothing.
        if (review.call().isDryRun()) {
            alongside(review);
        }
    }

    @Override
    public List<Write> alongside(Review review) {
        var object = review.object();
        if (object == null || !mayTakeMore(review)) {
            return List.of();
        }
        var writes = new ArrayList<Write>();
        for (var quota : QuotaTotals.quotas(store, review.cluster(), review.namespace())) {
            var taken = taken(review, object, quota.tree());
            if (!taken.isEmpty()) {
                var used = usedWith(review, quota, taken);
                writes.add(new Write.Update(quota.key(), quota.revision(), QuotaTotals.withUsed(quota.tree(), used)));
            }
        }
        return writes;
    }

    private static boolean mayTakeMore(Review review) {
        return review.operation() != Review.Operation.DELETE
                && !review.namespace().isEmpty()
                && (review.subresource().isEmpty() || review.subresource().equals("resize"));
    }

    /// What the object takes from a quota beyond what it already had; an update that only gives back takes nothing.
    private Map<String, Quantity> taken(Review review, Json.Obj object, Json.Obj quota) {
        var resource = review.kind().resource();
        var now = clock.instant();
        if (resource.equals(PODS)
                && review.operation() == Review.Operation.CREATE
                && QuotaUsage.inScope(quota, resource, object)) {
            QuotaUsage.unsaid(quota, object).ifPresent(why -> {
                throw review.forbidden("failed quota: " + quota.string("metadata", "name") + ": " + why);
            });
        }
        var charged = QuotaUsage.charged(quota, resource, object, now);
        var old = review.old();
        var before = old == null ? Map.<String, Quantity>of() : QuotaUsage.charged(quota, resource, old, now);
        var taken = new TreeMap<String, Quantity>();
        charged.forEach((name, amount) -> {
            if (amount.signum() < 0) {
                throw review.forbidden("quota usage is negative for resource(s): " + name);
            }
            var more = amount.minus(before.getOrDefault(name, Quantity.ZERO));
            if (more.signum() > 0) {
                taken.put(name, more);
            }
        });
        return taken;
    }

    private Map<String, Quantity> usedWith(Review review, Stored quota, Map<String, Quantity> taken) {
        var tree = quota.tree();
        var used = used(quota);
        var sum = QuotaTotals.sum(used, taken);
        var hard = QuotaTotals.hard(tree);
        var exceeded = taken.keySet().stream()
                .filter(name ->
                        sum.getOrDefault(name, Quantity.ZERO).compareTo(hard.getOrDefault(name, Quantity.ZERO)) > 0)
                .toList();
        if (!exceeded.isEmpty()) {
            throw review.forbidden("exceeded quota: " + tree.string("metadata", "name") + ", requested: "
                    + text(taken, exceeded) + ", used: " + text(used, exceeded) + ", limited: " + text(hard, exceeded));
        }
        sum.keySet().retainAll(hard.keySet());
        return sum;
    }

    /// The status where it answers for everything the quota limits now; a new or changed quota is counted here.
    private Map<String, Quantity> used(Stored quota) {
        var status = quota.tree().object("status");
        var used = QuotaTotals.amounts(status.object("used"));
        var hard = QuotaTotals.hard(quota.tree());
        return used.keySet().containsAll(hard.keySet()) ? used : QuotaTotals.used(store, quota, clock.instant());
    }

    private static String text(Map<String, Quantity> amounts, List<String> names) {
        return names.stream()
                .map(name -> name + "=" + amounts.getOrDefault(name, Quantity.ZERO))
                .collect(Collectors.joining(","));
    }
}
