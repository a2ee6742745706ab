package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns the name of a pod's priority class into its number.
public final class PriorityAdmission implements Admission {

    private static final GroupResource PRIORITY_CLASSES = new GroupResource("scheduling.k8s.io", "priorityclasses");
    private static final String PREEMPT = "PreemptLowerPriority";

    /// These exist in every cluster, stored or not.
    private static final Map<String, Priority> SYSTEM = Map.of(
            "system-cluster-critical", new Priority("system-cluster-critical", 2_000_000_000, PREEMPT),
            "system-node-critical", new Priority("system-node-critical", 2_000_001_000, PREEMPT));

    private record Priority(String className, long value, String preemption) {
        static final Priority NONE = new Priority("", 0, PREEMPT);

        static Priority read(Json.Obj json) {
            var preemption = json.string("preemptionPolicy");
            return new Priority(
                    json.string("metadata", "name"),
                    json.integer("value"),
                    preemption.isEmpty() ? PREEMPT : preemption);
        }
    }

    private final Store store;

    public PriorityAdmission(Store store) {
        this.store = store;
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        if (!review.isWholeObject("", "Pod")) {
            return object;
        }
        return switch (review.operation()) {
            case CREATE -> withPriority(review, object);
            case UPDATE -> keepingPriority(object, review.old());
            case DELETE, CONNECT -> object;
        };
    }

    @Override
    public void check(Review review) {
        var object = review.object();
        if (object == null || !review.isWholeObject(PRIORITY_CLASSES.group(), "PriorityClass")) {
            return;
        }
        var present = usual(review.cluster());
        boolean isAnother = review.operation() == Review.Operation.CREATE || !present.className.equals(review.name());
        if (object.flag("globalDefault") && !present.className.isEmpty() && isAnother) {
            throw review.forbidden(
                    "PriorityClass " + present.className + " is already marked as default. Only one default can exist");
        }
    }

    private Json.Obj withPriority(Review review, Json.Obj pod) {
        var priority = priority(review, pod.string("spec", "priorityClassName"));
        var spec = pod.object("spec");
        if (spec.get("priority") instanceof Json.Int(var given) && given != priority.value) {
            throw review.forbidden("the integer value of priority (" + given
                    + ") must not be provided in pod spec; priority admission controller computed " + priority.value
                    + " from the given PriorityClass name");
        }
        var policy = spec.string("preemptionPolicy");
        if (!policy.isEmpty() && !policy.equals(priority.preemption)) {
            throw review.forbidden("the string value of PreemptionPolicy (" + policy
                    + ") must not be provided in pod spec; priority admission controller computed "
                    + priority.preemption + " from the given PriorityClass name");
        }
        if (!priority.className.isEmpty()) {
            spec = spec.with("priorityClassName", Json.of(priority.className));
        }
        return pod.with(
                "spec",
                spec.with("priority", Json.of(priority.value)).with("preemptionPolicy", Json.of(priority.preemption)));
    }

    private Priority priority(Review review, String name) {
        if (name.isEmpty()) {
            return usual(review.cluster());
        }
        var stored = store.get(new Key(PRIORITY_CLASSES, review.cluster(), "", name));
        if (stored != null) {
            return Priority.read(stored.tree());
        }
        var known = SYSTEM.get(name);
        if (known == null) {
            throw review.forbidden("no PriorityClass with name " + name + " was found");
        }
        return known;
    }

    /// The class that is the default for all; the lowest where more than one claims to be.
    private Priority usual(LogicalCluster cluster) {
        return store.list(Range.of(PRIORITY_CLASSES, cluster), 0, null, 0).items().stream()
                .filter(each -> each.tree().flag("globalDefault"))
                .map(each -> Priority.read(each.tree()))
                .min(Comparator.comparingLong(Priority::value))
                .orElse(Priority.NONE);
    }

    /// Clients that send a pod back without its priority mean no change.
    private static Json.Obj keepingPriority(Json.Obj pod, Json.@Nullable Obj old) {
        var kept = pod;
        for (var field : List.of("priority", "preemptionPolicy")) {
            var before = old == null ? null : old.at("spec", field);
            if (before != null && pod.at("spec", field) == null) {
                kept = kept.with(List.of("spec", field), before);
            }
        }
        return kept;
    }
}
