package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.catalog.Metadata;
import dev.towtank.apiserver.registry.Modification.Part;
import dev.towtank.apiserver.store.Range;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.policy.PodDisruptionBudgets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Asks a pod to leave, as far as its disruption budget allows.
final class Evictions {

    private static final Kind<Json.Obj> EVICTION = Kind.namespaced("policy", "v1", "Eviction", "evictions");
    private static final Kind<?> BUDGET = PodDisruptionBudgets.KIND;

    private final Commits commits;
    private final Reading reading;
    private final Modification modification;
    private final Deletion deletion;
    private final Catalog catalog;

    Evictions(Commits commits, Reading reading, Modification modification, Deletion deletion, Catalog catalog) {
        this.commits = commits;
        this.reading = reading;
        this.modification = modification;
        this.deletion = deletion;
        this.catalog = catalog;
    }

    Answer evict(Call request, Served served) {
        Options.check(request, "CreateOptions");
        var eviction = Decoder.object(request, EVICTION, _ -> {});
        PodRequests.checkIdentity(request, eviction, "Eviction");
        var options = eviction.object("deleteOptions");
        checkDryRun(request.params().all("dryRun"), options.array("dryRun").strings());
        var delete = deletion(request, options);
        var wanted = DeleteRequest.of(delete);
        var call = wanted.applyTo(request);
        commits.check(PodRequests.creation(call, EVICTION, eviction));
        var pod = Reading.view(reading.find(call, served), served);
        wanted.checkPreconditions(served.kind(), pod);
        if (!disturbsNobody(pod)) {
            budget(call, pod).ifPresent(budget -> take(call, pod, budget));
        }
        if (!call.isDryRun()) {
            modification.modify(call, served, Part.EVERYTHING, this::targeted, List.of());
        }
        deletion.deleteAdmitted(withoutRevision(delete, options), served);
        return PodRequests.success(201);
    }

    private static void checkDryRun(List<String> query, List<String> body) {
        if (!query.isEmpty() && !body.isEmpty() && !query.equals(body)) {
            throw StatusError.internal("Non-matching dry-run options in request and content: ["
                    + String.join(" ", query) + "] and [" + String.join(" ", body) + "]");
        }
    }

    private static Call deletion(Call call, Json.Obj options) {
        var target = call.target();
        return new Call(
                call.user(),
                call.cluster(),
                Verb.DELETE,
                new Target(target.group(), target.version(), target.resource(), target.namespace(), target.name(), ""),
                call.params(),
                Body.of(options),
                call.agent(),
                call.notes());
    }

    // The revision that was asked for has been seen; telling the pod why it goes made another.
    private static Call withoutRevision(Call delete, Json.Obj options) {
        var preconditions = options.object("preconditions");
        return preconditions.has("resourceVersion")
                ? deletion(delete, options.with("preconditions", preconditions.without("resourceVersion")))
                : delete;
    }

    /// A pod that has not begun or has ended is missed by nobody.
    private static boolean disturbsNobody(Json.Obj pod) {
        return List.of("Pending", "Succeeded", "Failed").contains(pod.string("status", "phase"))
                || pod.object("metadata").has("deletionTimestamp");
    }

    private Optional<Json.Obj> budget(Call call, Json.Obj pod) {
        var range = Range.of(BUDGET.resource(), call.cluster(), call.target().namespace());
        var budgets = commits.store().list(range, 0, null, 0).items().stream()
                .map(budget -> budget.tree())
                .filter(budget ->
                        LabelSelector.of(budget.object("spec", "selector")).matches(pod))
                .toList();
        if (budgets.size() > 1) {
            throw StatusError.relayed(
                    500,
                    "",
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
                    Json.Obj.EMPTY);
        }
        return budgets.stream().findFirst();
    }

    /// Uses up a disruption, unless nobody relies on the pod as it is.
    private void take(Call call, Json.Obj pod, Json.Obj budget) {
        if (!isReady(pod) && EvictionBudget.letsUnhealthyGo(budget)) {
            return;
        }
        var name = budget.string("metadata", "name");
        var now = Metadata.timestamp(commits.clock().instant());
        if (call.isDryRun()) {
            EvictionBudget.spent(budget, pod.string("metadata", "name"), now);
            return;
        }
        var served = catalog.find(call.cluster(), BUDGET.group(), BUDGET.version(), BUDGET.plural())
                .orElseThrow(() -> new IllegalStateException("budgets are not served"));
        var target = new Target(
                BUDGET.group(), BUDGET.version(), BUDGET.plural(), call.target().namespace(), name, "status");
        var write = new Call(
                call.user(),
                call.cluster(),
                Verb.UPDATE,
                target,
                Params.NONE,
                Body.None.NONE,
                call.agent(),
                call.notes());
        modification.modify(
                write,
                served,
                Part.EVERYTHING,
                current -> EvictionBudget.spent(current, pod.string("metadata", "name"), now),
                List.of());
    }

    private static boolean isReady(Json.Obj pod) {
        return pod.objects("status", "conditions").stream()
                .anyMatch(condition -> condition.string("type").equals("Ready")
                        && condition.string("status").equals("True"));
    }

    private Json.Obj targeted(Json.Obj pod) {
        var conditions = new ArrayList<Json>();
        pod.objects("status", "conditions").stream()
                .filter(condition -> !condition.string("type").equals("DisruptionTarget"))
                .forEach(conditions::add);
        conditions.add(Json.Obj.builder()
                .put("type", "DisruptionTarget")
                .put("status", "True")
                .put("lastProbeTime", Json.Null.NULL)
                .put("lastTransitionTime", Metadata.timestamp(commits.clock().instant()))
                .put("reason", "EvictionByEvictionAPI")
                .put("message", "Eviction API: evicting")
                .build());
        return pod.with(List.of("status", "conditions"), new Json.Arr(conditions));
    }
}
