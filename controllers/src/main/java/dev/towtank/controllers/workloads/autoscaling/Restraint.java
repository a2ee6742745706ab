package dev.towtank.controllers.workloads.autoscaling;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.List;

/// What becomes of a number of replicas that metrics ask for: not too fast, not back and forth, and within bounds.
///
/// @param stabilized what recent recommendations leave of it
/// @param able why it is so, for the condition AbleToScale
/// @param limited the same for ScalingLimited
record Restraint(long desired, long stabilized, Reason able, Reason limited) {

    private static final long USUAL_DOWN_SECONDS = 300;
    private static final long USUAL_UP_FACTOR = 2;
    private static final long USUAL_UP_MINIMUM = 4;

    private static final Reason READY = new Reason("ReadyForNewScale", "recommended size matches current size");
    private static final Reason WITHIN =
            new Reason("DesiredWithinRange", "the desired count is within the acceptable range");
    private static final Reason TOO_FAST_UP =
            new Reason("ScaleUpLimit", "the desired replica count is increasing faster than the maximum scale rate");
    private static final Reason TOO_FAST_DOWN =
            new Reason("ScaleDownLimit", "the desired replica count is decreasing faster than the maximum scale rate");
    private static final Reason TOO_MANY =
            new Reason("TooManyReplicas", "the desired replica count is more than the maximum replica count");
    private static final Reason TOO_FEW =
            new Reason("TooFewReplicas", "the desired replica count is less than the minimum replica count");
    private static final Reason DOWN_LATER = new Reason(
            "ScaleDownStabilized",
            "recent recommendations were higher than current one, applying the highest recent recommendation");
    private static final Reason UP_LATER = new Reason(
            "ScaleUpStabilized",
            "recent recommendations were lower than current one, applying the lowest recent recommendation");

    record Reason(String reason, String message) {}

    /// Within which a workload is scaled.
    record Bounds(long least, long most) {}

    /// @param spec of the autoscaler
    static Restraint of(Json.Obj spec, Bounds bounds, ScalingMemory memory, long current, long asked, Instant now) {
        return spec.get("behavior") instanceof Json.Obj behavior
                ? byBehavior(behavior, bounds, memory, current, asked, now)
                : usual(bounds, memory, current, asked, now);
    }

    private static Restraint usual(Bounds bounds, ScalingMemory memory, long current, long asked, Instant now) {
        long stabilized = Math.max(asked, highest(memory, USUAL_DOWN_SECONDS, now, asked));
        long fastest = Math.max(USUAL_UP_FACTOR * current, USUAL_UP_MINIMUM);
        var able = stabilized == asked ? READY : DOWN_LATER;
        if (stabilized < bounds.least) {
            return new Restraint(bounds.least, stabilized, able, TOO_FEW);
        }
        long most = Math.min(bounds.most, fastest);
        if (stabilized > most) {
            return new Restraint(most, stabilized, able, bounds.most > fastest ? TOO_FAST_UP : TOO_MANY);
        }
        return new Restraint(stabilized, stabilized, able, WITHIN);
    }

    private static Restraint byBehavior(
            Json.Obj behavior, Bounds bounds, ScalingMemory memory, long current, long asked, Instant now) {
        var up = behavior.object("scaleUp");
        var down = behavior.object("scaleDown");
        long lowest = Math.min(asked, lowest(memory, up.integer("stabilizationWindowSeconds"), now, asked));
        long downWindow = down.integerOr(USUAL_DOWN_SECONDS, "stabilizationWindowSeconds");
        long highest = Math.max(asked, highest(memory, downWindow, now, asked));
        long stabilized = Math.min(Math.max(current, lowest), highest);
        var able = stabilized == asked ? READY : asked >= current ? UP_LATER : DOWN_LATER;
        if (stabilized > current) {
            long fastest = Math.max(current, fastestUp(up, memory, current, now));
            long most = Math.min(bounds.most, fastest);
            if (stabilized > most) {
                return new Restraint(most, stabilized, able, bounds.most > fastest ? TOO_FAST_UP : TOO_MANY);
            }
        } else if (stabilized < current) {
            long fastest = Math.min(current, fastestDown(down, memory, current, now));
            long least = Math.max(bounds.least, fastest);
            if (stabilized < least) {
                return new Restraint(least, stabilized, able, bounds.least < fastest ? TOO_FAST_DOWN : TOO_FEW);
            }
        }
        return new Restraint(stabilized, stabilized, able, WITHIN);
    }

    private static long highest(ScalingMemory memory, long seconds, Instant now, long otherwise) {
        return memory.recommendedWithin(seconds, now).stream()
                .mapToLong(ScalingMemory.Moment::replicas)
                .max()
                .orElse(otherwise);
    }

    private static long lowest(ScalingMemory memory, long seconds, Instant now, long otherwise) {
        return memory.recommendedWithin(seconds, now).stream()
                .mapToLong(ScalingMemory.Moment::replicas)
                .min()
                .orElse(otherwise);
    }

    private static long fastestUp(Json.Obj rules, ScalingMemory memory, long current, Instant now) {
        var allowed = rules.objects("policies").stream()
                .map(policy -> {
                    long start = current - memory.change(policy.integer("periodSeconds"), now);
                    long value = policy.integer("value");
                    return policy.string("type").equals("Pods")
                            ? start + value
                            : (long) Math.ceil(start * (1 + value / 100.0));
                })
                .toList();
        return chosen(rules, allowed, current, true);
    }

    private static long fastestDown(Json.Obj rules, ScalingMemory memory, long current, Instant now) {
        var allowed = rules.objects("policies").stream()
                .map(policy -> {
                    long start = current - memory.change(policy.integer("periodSeconds"), now);
                    long value = policy.integer("value");
                    return policy.string("type").equals("Pods") ? start - value : (long) (start * (1 - value / 100.0));
                })
                .toList();
        return chosen(rules, allowed, current, false);
    }

    /// The policy that allows the most change, unless the least is wanted, or none at all.
    private static long chosen(Json.Obj rules, List<Long> allowed, long current, boolean up) {
        if (rules.string("selectPolicy").equals("Disabled") || allowed.isEmpty()) {
            return current;
        }
        boolean largest = rules.string("selectPolicy").equals("Min") != up;
        var numbers = allowed.stream().mapToLong(Long::longValue);
        return (largest ? numbers.max() : numbers.min()).orElse(current);
    }
}
