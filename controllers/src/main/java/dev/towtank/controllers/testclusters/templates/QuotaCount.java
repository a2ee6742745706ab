package dev.towtank.controllers.testclusters.templates;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/// What the instances of a namespace take of its quota.
///
/// @param cost of a template; 0 where it has none
record QuotaCount(List<Resource> instances, ToLongFunction<String> cost) {

    static QuotaCount of(List<Resource> instances, ToLongFunction<String> cost) {
        // Those that brought their cluster cost nothing.
        return new QuotaCount(
                instances.stream()
                        .filter(each -> new Instance(each).hasOwnCluster())
                        .toList(),
                cost);
    }

    private long count(String template) {
        return instances.stream()
                .filter(each -> new Instance(each).template().equals(template))
                .count();
    }

    private long spent() {
        return instances.stream()
                .mapToLong(each -> cost.applyAsLong(new Instance(each).template()))
                .sum();
    }

    /// Why one more does not fit.
    Optional<String> refusal(Resource quota, String template) {
        var allowed = quota.spec().objects("allowedTemplates").stream()
                .filter(each -> each.string("name").equals(template))
                .findFirst();
        if (allowed.isEmpty()) {
            return Optional.of("failed quota: quota does not allow '" + template + "' cluster template");
        }
        if (allowed.get().has("count") && count(template) >= allowed.get().integer("count")) {
            return Optional.of("failed quota: cluster instance not allowed - maximum cluster instances reached");
        }
        var spec = quota.spec();
        if (spec.has("budget") && spent() + cost.applyAsLong(template) > spec.integer("budget")) {
            return Optional.of("failed quota: cluster instance not allowed - cluster cost would exceed budget");
        }
        return Optional.empty();
    }

    Json.Obj status() {
        var counts = new TreeMap<String, Long>();
        instances.forEach(each -> counts.merge(new Instance(each).template(), 1L, Long::sum));
        var rows = new ArrayList<Json>();
        counts.forEach((name, count) -> rows.add(Json.Obj.of("name", Json.of(name), "count", Json.of(count))));
        return Json.Obj.of("budgetSpent", Json.of(spent()), "templateInstances", new Json.Arr(rows));
    }
}
