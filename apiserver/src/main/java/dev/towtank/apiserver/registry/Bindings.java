package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.catalog.Metadata;
import dev.towtank.apiserver.registry.Modification.Part;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Pods;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Gives a pod its node, once.
///
/// Schedulers post a Binding to the pod; those that are older post it to a collection of its own, where it names the
/// pod itself.
final class Bindings {

    static final Kind<Json.Obj> KIND = Kind.namespaced("", "v1", "Binding", "bindings");

    private static final GroupResource PART_OF_POD = new GroupResource("", "pods/binding");

    private final Commits commits;
    private final Modification modification;
    private final Catalog catalog;
    private final InstantSource clock;

    Bindings(Commits commits, Modification modification, Catalog catalog) {
        this.commits = commits;
        this.modification = modification;
        this.catalog = catalog;
        this.clock = commits.clock();
    }

    Answer bind(Call call, Served pods) {
        var warnings = new ArrayList<String>();
        var binding = Decoder.object(call, KIND, warnings::add);
        PodRequests.checkIdentity(call, binding, "Binding");
        return bind(call, call, pods, binding, warnings);
    }

    /// Posted beside the pods.
    Answer bindNamed(Call call) {
        var warnings = new ArrayList<String>();
        var binding = Decoder.object(call, KIND, warnings::add);
        var name = binding.string("metadata", "name");
        var posted = call.target();
        var ofPod = call.withTarget(
                new Target(posted.group(), posted.version(), "pods", posted.namespace(), name, "binding"));
        PodRequests.checkIdentity(ofPod, binding, "Binding");
        var pods = catalog.find(call.cluster(), "", "v1", "pods").orElseThrow(StatusError::notServed);
        return bind(call, ofPod, pods, binding, warnings);
    }

    private Answer bind(Call posted, Call ofPod, Served pods, Json.Obj binding, List<String> warnings) {
        validate(binding);
        commits.check(PodRequests.creation(posted, KIND, binding));
        if (ofPod.target().name().isEmpty()) {
            throw StatusError.badRequest("Name parameter required.");
        }
        modification.modify(ofPod, pods, Part.EVERYTHING, pod -> bound(pod, binding), warnings);
        return PodRequests.success(201);
    }

    private static void validate(Json.Obj binding) {
        var problems = new ArrayList<String>();
        var kind = binding.string("target", "kind");
        if (!kind.isEmpty() && !kind.equals("Node")) {
            problems.add(
                    "target.kind: Unsupported value: " + Json.of(kind) + ": supported values: \"Node\", \"<empty>\"");
        }
        if (binding.string("target", "name").isEmpty()) {
            problems.add("target.name: Required value");
        }
        if (!problems.isEmpty()) {
            var all = String.join(", ", problems);
            throw new StatusError(StatusError.Reason.UNKNOWN, problems.size() == 1 ? all : "[" + all + "]");
        }
    }

    private Json.Obj bound(Json.Obj pod, Json.Obj binding) {
        var metadata = pod.object("metadata");
        checkPrecondition("UID", binding.string("metadata", "uid"), metadata, metadata.string("uid"));
        checkPrecondition(
                "ResourceVersion",
                binding.string("metadata", "resourceVersion"),
                metadata,
                metadata.string("resourceVersion"));
        checkUnbound(pod);
        var status = pod.object("status").without("nominatedNodeName");
        return pod.with("metadata", described(metadata, binding.object("metadata")))
                .with(List.of("spec", "nodeName"), Json.of(binding.string("target", "name")))
                .with("status", status.with("conditions", scheduled(status.objects("conditions"))));
    }

    private static void checkPrecondition(String what, String wanted, Json.Obj metadata, String there) {
        if (!wanted.isEmpty() && !wanted.equals(there)) {
            throw StatusError.conflict(
                    Pods.KIND.resource(),
                    metadata.string("name"),
                    "Precondition failed: " + what + " in precondition: " + wanted + ", " + what + " in object meta: "
                            + there);
        }
    }

    private static void checkUnbound(Json.Obj pod) {
        var name = pod.string("metadata", "name");
        var assigned = pod.string("spec", "nodeName");
        if (pod.object("metadata").has("deletionTimestamp")) {
            throw refused(name, "pod " + name + " is being deleted, cannot be assigned to a host");
        }
        if (!assigned.isEmpty()) {
            throw refused(name, "pod " + name + " is already assigned to node " + Json.of(assigned));
        }
        if (pod.array("spec", "schedulingGates").size() > 0) {
            throw refused(name, "pod " + name + " has non-empty .spec.schedulingGates");
        }
    }

    private static StatusError refused(String name, String why) {
        return StatusError.conflict(PART_OF_POD, name, why);
    }

    /// Whatever revision of the pod is newest gets its node: one that the binding names has been compared by now.
    private static Json.Obj described(Json.Obj metadata, Json.Obj binding) {
        var described = metadata.without("resourceVersion");
        for (var map : List.of("annotations", "labels")) {
            var added = binding.object(map);
            var all = described.object(map);
            for (var entry : added) {
                all = all.with(entry.getKey(), entry.getValue());
            }
            described = added.size() == 0 ? described : described.with(map, all);
        }
        return described;
    }

    private Json.Arr scheduled(List<Json.Obj> conditions) {
        var all = new ArrayList<Json>();
        conditions.stream()
                .filter(condition -> !condition.string("type").equals("PodScheduled"))
                .forEach(all::add);
        all.add(Json.Obj.builder()
                .put("type", "PodScheduled")
                .put("status", "True")
                .put("lastProbeTime", Json.Null.NULL)
                .put("lastTransitionTime", Metadata.timestamp(clock.instant()))
                .build());
        return new Json.Arr(all);
    }
}
