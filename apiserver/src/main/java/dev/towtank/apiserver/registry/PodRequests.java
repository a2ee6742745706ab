package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.registry.Modification.Part;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What can be asked of a pod besides reading and writing it: a node, and to leave.
final class PodRequests {

    private static final Kind<Json.Obj> BINDING = Kind.namespaced("", "v1", "Binding", "bindings");
    private static final Kind<Json.Obj> EVICTION = Kind.namespaced("policy", "v1", "Eviction", "evictions");
    private static final GroupResource BUDGETS = new GroupResource("policy", "poddisruptionbudgets");

    private final Commits commits;
    private final Store store;
    private final Reading reading;
    private final Modification modification;
    private final Deletion deletion;
    private final InstantSource clock;

    PodRequests(Commits commits, Reading reading, Modification modification, Deletion deletion) {
        this.commits = commits;
        this.store = commits.store();
        this.clock = commits.clock();
        this.reading = reading;
        this.modification = modification;
        this.deletion = deletion;
    }

    Answer bind(Call call, Served served) {
        var warnings = new ArrayList<String>();
        var binding = Decoder.object(call, BINDING, warnings::add);
        var node = binding.string("target", "name");
        if (node.isEmpty()) {
            throw StatusError.badRequest("target.name: Required value: the node the pod is bound to");
        }
        commits.check(creation(call, BINDING, binding));
        modification.modify(call, served, Part.EVERYTHING, pod -> bound(pod, node), warnings);
        return success(201);
    }

    private Json.Obj bound(Json.Obj pod, String node) {
        var assigned = pod.string("spec", "nodeName");
        if (!assigned.isEmpty()) {
            throw StatusError.conflict(
                    new GroupResource("", "pods/binding"),
                    pod.string("metadata", "name"),
                    "pod " + pod.string("metadata", "name") + " is already assigned to node \"" + assigned + "\"");
        }
        var scheduled = Json.Obj.builder()
                .put("type", "PodScheduled")
                .put("status", "True")
                .put("lastProbeTime", Json.Null.NULL)
                .put("lastTransitionTime", Metadata.timestamp(clock.instant()))
                .build();
        var conditions = new ArrayList<Json>();
        pod.objects("status", "conditions").stream()
                .filter(condition -> !condition.string("type").equals("PodScheduled"))
                .forEach(conditions::add);
        conditions.add(scheduled);
        return pod.with(List.of("spec", "nodeName"), Json.of(node))
                .with(List.of("status", "conditions"), new Json.Arr(conditions));
    }

    Answer evict(Call call, Served served) {
        var eviction = Decoder.object(call, EVICTION, _ -> {});
        commits.check(creation(call, EVICTION, eviction));
        var pod = Reading.view(reading.find(call, served), served);
        checkBudgets(call, pod);
        var delete = new Call(
                call.user(),
                call.cluster(),
                Verb.DELETE,
                withoutSubresource(call),
                call.params(),
                Body.of(eviction.object("deleteOptions")),
                call.agent(),
                call.notes());
        deletion.deleteAdmitted(delete, served);
        return success(201);
    }

    // To admission, what is posted to a subresource is created, though it is stored nowhere.
    private static Review creation(Call call, Kind<?> kind, Json.Obj object) {
        var target = call.target();
        return new Review(
                call,
                kind,
                Review.Operation.CREATE,
                target.namespace(),
                target.name(),
                target.subresource(),
                object,
                null);
    }

    private static Target withoutSubresource(Call call) {
        var target = call.target();
        return new Target(target.group(), target.version(), target.resource(), target.namespace(), target.name(), "");
    }

    // A pod that has ended disturbs nobody when it goes.
    private void checkBudgets(Call call, Json.Obj pod) {
        var phase = pod.string("status", "phase");
        if (phase.equals("Succeeded")
                || phase.equals("Failed")
                || pod.object("metadata").has("deletionTimestamp")) {
            return;
        }
        var range = Range.of(BUDGETS, call.cluster(), call.target().namespace());
        var budgets = store.list(range, 0, null, 0).items().stream()
                .map(budget -> budget.tree())
                .filter(budget ->
                        LabelSelector.of(budget.object("spec", "selector")).matches(pod))
                .toList();
        if (budgets.size() > 1) {
            throw StatusError.internal("This pod has more than one PodDisruptionBudget, which the eviction subresource"
                    + " does not support.");
        }
        for (var budget : budgets) {
            if (budget.integer("status", "disruptionsAllowed") <= 0) {
                throw new StatusError(
                        StatusError.Reason.TOO_MANY_REQUESTS,
                        "Cannot evict pod as it would violate the pod's disruption budget.",
                        Json.Obj.of("causes", Json.Arr.of(cause(budget))));
            }
        }
    }

    private static Json.Obj cause(Json.Obj budget) {
        var status = budget.object("status");
        return Json.Obj.of(
                "reason",
                Json.of("DisruptionBudget"),
                "message",
                Json.of("The disruption budget " + budget.string("metadata", "name") + " needs "
                        + status.integer("desiredHealthy") + " healthy pods and has "
                        + status.integer("currentHealthy") + " currently"));
    }

    /// Logs, exec, attach, port-forward: they need the pod's node.
    Answer connect(Call call, Served served) {
        var found = reading.find(call, served);
        var pod = Reading.view(found, served);
        if (!call.target().subresource().equals("log")) {
            commits.check(Connections.review(call));
        }
        if (pod.string("spec", "nodeName").isEmpty()) {
            throw StatusError.badRequest("pod " + call.target().name() + " does not have a host assigned");
        }
        return new Answer.Connected(new Resource(found.cluster(), pod), List.of());
    }

    private static Answer success(int code) {
        var status = Json.Obj.builder()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("metadata", Json.Obj.EMPTY)
                .put("status", "Success")
                .put("code", code)
                .build();
        return new Answer.One(code, Optional.empty(), Content.of(status), List.of());
    }
}
