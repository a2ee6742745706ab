package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.kinds.PodResources;
import dev.towtank.model.kinds.ResourceLists;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Applies a namespace's LimitRanges: fills in what containers leave out, and refuses what is too small or too large.
public final class LimitRanger implements Admission {

    private static final GroupResource LIMIT_RANGES = new GroupResource("", "limitranges");
    private static final String ANNOTATION = "kubernetes.io/limit-ranger";

    private final Store store;

    public LimitRanger(Store store) {
        this.store = store;
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        if (review.operation() != Review.Operation.CREATE || !review.isWholeObject("", "Pod")) {
            return object;
        }
        var pod = object;
        for (var range : ranges(review)) {
            pod = withDefaults(pod, range);
        }
        return pod;
    }

    @Override
    public void check(Review review) {
        var object = review.object();
        if (object == null || !isLimited(review)) {
            return;
        }
        for (var range : ranges(review)) {
            var problems = new LinkedHashSet<String>();
            for (var limit : range.objects("spec", "limits")) {
                problems.addAll(review.isKind("", "Pod") ? podProblems(limit, object) : claimProblems(limit, object));
            }
            if (!problems.isEmpty()) {
                throw review.forbidden(
                        problems.size() == 1 ? problems.iterator().next() : "[" + String.join(", ", problems) + "]");
            }
        }
    }

    /// Pods cannot change what they ask for, except through `resize`; claims can grow.
    private static boolean isLimited(Review review) {
        var old = review.old();
        if (old != null && old.at("metadata", "deletionTimestamp") instanceof Json.Str) {
            return false;
        }
        if (review.isKind("", "Pod")) {
            return review.operation() == Review.Operation.CREATE
                    ? review.subresource().isEmpty()
                    : review.subresource().equals("resize");
        }
        return review.isWholeObject("", "PersistentVolumeClaim");
    }

    private List<Json.Obj> ranges(Review review) {
        return store.list(Range.of(LIMIT_RANGES, review.cluster(), review.namespace()), 0, null, 0).items().stream()
                .map(Stored::tree)
                .toList();
    }

    private static Json.Obj withDefaults(Json.Obj pod, Json.Obj range) {
        var requests = new TreeMap<String, Json>();
        var limits = new TreeMap<String, Json>();
        for (var limit : range.objects("spec", "limits")) {
            if (limit.string("type").equals("Container")) {
                limit.object("defaultRequest").forEach(requests::put);
                limit.object("default").forEach(limits::put);
            }
        }
        var notes = new ArrayList<String>();
        var changed = withDefaults(pod, "containers", "container", requests, limits, notes);
        changed = withDefaults(changed, "initContainers", "init container", requests, limits, notes);
        return notes.isEmpty()
                ? changed
                : changed.with(
                        List.of("metadata", "annotations", ANNOTATION),
                        Json.of("LimitRanger plugin set: " + String.join("; ", notes)));
    }

    private static Json.Obj withDefaults(
            Json.Obj pod,
            String list,
            String what,
            Map<String, Json> requests,
            Map<String, Json> limits,
            List<String> notes) {
        if (pod.array("spec", list).size() == 0) {
            return pod;
        }
        var containers = new ArrayList<Json>();
        for (var container : pod.objects("spec", list)) {
            var name = " for " + what + " " + container.string("name");
            var filled = fill(container, "requests", requests, " request" + name, notes);
            containers.add(fill(filled, "limits", limits, " limit" + name, notes));
        }
        return pod.with(List.of("spec", list), new Json.Arr(containers));
    }

    private static Json.Obj fill(
            Json.Obj container, String field, Map<String, Json> defaults, String note, List<String> notes) {
        var given = container.object("resources", field);
        var missing =
                defaults.keySet().stream().filter(name -> !given.has(name)).toList();
        if (missing.isEmpty()) {
            return container;
        }
        var filled = given.toBuilder();
        missing.forEach(name -> filled.put(name, defaults.getOrDefault(name, Json.Null.NULL)));
        notes.add(String.join(", ", missing) + note);
        return container.with(List.of("resources", field), filled.build());
    }

    private static List<String> podProblems(Json.Obj limit, Json.Obj pod) {
        return switch (limit.string("type")) {
            case "Container" ->
                Stream.of("containers", "initContainers")
                        .flatMap(list -> pod.objects("spec", list).stream())
                        .map(each -> problems(
                                limit, amounts(each, "resources", "requests"), amounts(each, "resources", "limits")))
                        .flatMap(Collection::stream)
                        .toList();
            case "Pod" ->
                problems(limit, PodResources.requests(pod.object("spec")), PodResources.limits(pod.object("spec")));
            default -> List.of();
        };
    }

    private static List<String> problems(Json.Obj limit, Map<String, Quantity> requests, Map<String, Quantity> limits) {
        var type = limit.string("type");
        var problems = new ArrayList<String>();
        amounts(limit, "min")
                .forEach((name, least) ->
                        belowMinimum(type, name, least, requests, limits).ifPresent(problems::add));
        amounts(limit, "max")
                .forEach((name, most) ->
                        aboveMaximum(type, name, most, requests, limits).ifPresent(problems::add));
        amounts(limit, "maxLimitRequestRatio")
                .forEach((name, ratio) ->
                        aboveRatio(type, name, ratio, requests, limits).ifPresent(problems::add));
        return problems;
    }

    /// The amounts at a path of an object, by name; what is no quantity is left out.
    private static Map<String, Quantity> amounts(Json.Obj holder, String... path) {
        var amounts = new TreeMap<String, Quantity>();
        holder.object(path)
                .forEach((name, value) -> ResourceLists.quantity(value).ifPresent(amount -> amounts.put(name, amount)));
        return amounts;
    }

    private static List<String> claimProblems(Json.Obj limit, Json.Obj claim) {
        var type = limit.string("type");
        if (!type.equals("PersistentVolumeClaim")) {
            return List.of();
        }
        var requests = amounts(claim, "spec", "resources", "requests");
        var problems = new ArrayList<String>();
        amounts(limit, "min")
                .forEach((name, least) -> belowMinimum(type, name, least, requests, new TreeMap<>())
                        .ifPresent(problems::add));
        amounts(limit, "max").forEach((name, most) -> {
            var request = requests.get(name);
            if (request == null) {
                problems.add(usage("maximum", type, name, most) + ".  No request is specified");
            } else if (request.compareTo(most) > 0) {
                problems.add(usage("maximum", type, name, most) + ", but request is " + request);
            }
        });
        return problems;
    }

    private static String usage(String which, String type, String name, Quantity bound) {
        return which + " " + name + " usage per " + type + " is " + bound;
    }

    private static Optional<String> belowMinimum(
            String type, String name, Quantity least, Map<String, Quantity> requests, Map<String, Quantity> limits) {
        var request = requests.get(name);
        var limit = limits.get(name);
        var usage = usage("minimum", type, name, least);
        if (request == null) {
            return Optional.of(usage + ".  No request is specified");
        }
        if (request.compareTo(least) < 0) {
            return Optional.of(usage + ", but request is " + request);
        }
        return limit != null && limit.compareTo(least) < 0
                ? Optional.of(usage + ", but limit is " + limit)
                : Optional.empty();
    }

    private static Optional<String> aboveMaximum(
            String type, String name, Quantity most, Map<String, Quantity> requests, Map<String, Quantity> limits) {
        var request = requests.get(name);
        var limit = limits.get(name);
        var usage = usage("maximum", type, name, most);
        if (limit == null) {
            return Optional.of(usage + ".  No limit is specified");
        }
        if (limit.compareTo(most) > 0) {
            return Optional.of(usage + ", but limit is " + limit);
        }
        return request != null && request.compareTo(most) > 0
                ? Optional.of(usage + ", but request is " + request)
                : Optional.empty();
    }

    private static Optional<String> aboveRatio(
            String type, String name, Quantity most, Map<String, Quantity> requests, Map<String, Quantity> limits) {
        var request = requests.getOrDefault(name, Quantity.ZERO);
        var limit = limits.getOrDefault(name, Quantity.ZERO);
        var rule = name + " max limit to request ratio per " + type + " is " + most;
        if (request.isZero()) {
            return Optional.of(rule + ", but no request is specified or request is 0");
        }
        if (limit.isZero()) {
            return Optional.of(rule + ", but no limit is specified or limit is 0");
        }
        var ratio = limit.amount().divide(request.amount(), MathContext.DECIMAL64);
        return ratio.compareTo(most.amount()) > 0
                ? Optional.of(String.format(Locale.ROOT, "%s, but provided ratio is %f", rule, ratio.doubleValue()))
                : Optional.empty();
    }
}
