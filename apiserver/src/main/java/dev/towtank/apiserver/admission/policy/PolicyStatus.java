package dev.towtank.apiserver.admission.policy;

import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.admission.Admission;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Schema;
import dev.towtank.model.Schemas;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.admissionregistration.PolicyTypes;
import dev.towtank.model.kinds.admissionregistration.ValidatingAdmissionPolicies;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Says in the status of a policy, in the very write that makes or changes it, which expressions do not fit the kinds
/// that it matches.
public final class PolicyStatus implements Admission {

    private static final int MOST_TYPES = 10;

    private final Catalog catalog;

    public PolicyStatus(Catalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        if (!review.isKind(ValidatingAdmissionPolicies.KIND)
                || !review.subresource().isEmpty()) {
            return object;
        }
        var old = review.old();
        boolean same = old != null && Field.same(old.get("spec"), object.get("spec"));
        if (same) {
            return object;
        }
        var spec = object.object("spec");
        var warnings = PolicyTypes.warnings(spec, matched(review.cluster(), spec), params(spec));
        var checking = Json.Obj.builder()
                .putNonEmpty("expressionWarnings", new Json.Arr(warnings))
                .build();
        long generation = old == null ? 1 : old.integer("metadata", "generation") + 1;
        return object.with(
                "status",
                object.object("status")
                        .with("observedGeneration", Json.of(generation))
                        .with("typeChecking", checking));
    }

    /// The built-in kinds that rules name; one with a wildcard names none.
    private List<PolicyTypes.Matched> matched(LogicalCluster cluster, Json.Obj spec) {
        var found = new TreeMap<String, PolicyTypes.Matched>();
        for (var rule : spec.objects("matchConstraints", "resourceRules")) {
            var groups = rule.array("apiGroups").strings();
            var versions = rule.array("apiVersions").strings();
            if (groups.contains("*") || versions.contains("*")) {
                continue;
            }
            for (var group : groups) {
                for (var version : versions) {
                    for (var resource : rule.array("resources").strings()) {
                        find(cluster, group, version, resource)
                                .filter(_ -> found.size() < MOST_TYPES)
                                .ifPresent(type -> found.put(type.name(), type));
                    }
                }
            }
        }
        return List.copyOf(found.values());
    }

    private Optional<PolicyTypes.Matched> find(LogicalCluster cluster, String group, String version, String resource) {
        return catalog.find(cluster, group, version, resource)
                .flatMap(served -> Schemas.builtin()
                        .find(served.kind())
                        .map(type -> new PolicyTypes.Matched(
                                served.kind().apiVersion() + ", Kind="
                                        + served.kind().kind(),
                                type)));
    }

    private static Optional<Schema.Type> params(Json.Obj spec) {
        return Schemas.builtin().find(spec.string("paramKind", "apiVersion"), spec.string("paramKind", "kind"));
    }
}
