package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.MergePatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Keeps an ExternalSecret in every namespace that is chosen, and nowhere else.
final class ClusterExternalSecretReconciler implements Reconciler<Json.Obj, ClusterExternalSecretFacts> {

    static final String FINALIZER = "externalsecrets.external-secrets.io/clusterexternalsecret-cleanup";

    private static final Kind<Json.Obj> KIND = SecretKinds.CLUSTER_EXTERNAL_SECRET;
    private static final String FORCE_SYNC = "external-secrets.io/force-sync";

    static String name(Resource source) {
        var name = source.spec().string("externalSecretName");
        return name.isEmpty() ? source.name() : name;
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, ClusterExternalSecretFacts facts, Instant now) {
        var source = observed.object();
        if (source.isDeleting()) {
            return removed(source, facts);
        }
        if (!source.finalizers().contains(FINALIZER)) {
            return Plan.NONE.patch(KIND, source, Finalizers.with(source, FINALIZER));
        }
        var plan = kept(source, facts);
        try {
            var again = source.spec().string("refreshTime");
            return again.isEmpty() ? plan : plan.then(Plan.lookAgainAt(now.plus(Durations.parse(again))));
        } catch (Durations.Malformed e) {
            return plan; // refused when it is written
        }
    }

    private static Plan removed(Resource source, ClusterExternalSecretFacts facts) {
        var plan = Plan.NONE;
        for (var each : facts.owned()) {
            plan = plan.delete(SecretKinds.EXTERNAL_SECRET, each);
        }
        return facts.owned().isEmpty() && source.finalizers().contains(FINALIZER)
                ? plan.patch(KIND, source, Finalizers.without(source, FINALIZER))
                : plan;
    }

    private static Plan kept(Resource source, ClusterExternalSecretFacts facts) {
        var failed = new TreeMap<String, String>();
        if (!facts.problem().isEmpty()) {
            failed.put("unknown", facts.problem());
            return Plan.NONE.setStatus(
                    KIND,
                    source,
                    status(
                            source,
                            source.status().array("provisionedNamespaces").strings(),
                            failed));
        }
        var plan = Plan.NONE;
        var provisioned = new ArrayList<String>();
        for (var namespace : facts.namespaces()) {
            var present = facts.present().get(namespace.name());
            if (present == null) {
                plan = plan.then(made(source, namespace.name()));
            } else if (isOurs(source, present)) {
                plan = plan.then(changed(source, present));
            } else {
                failed.put(namespace.name(), "external secret already exists in namespace");
                continue;
            }
            provisioned.add(namespace.name());
        }
        for (var each : facts.owned()) {
            boolean isWanted = each.name().equals(name(source)) && provisioned.contains(each.namespace());
            plan = isWanted ? plan : plan.delete(SecretKinds.EXTERNAL_SECRET, each);
        }
        return plan.setStatus(KIND, source, status(source, provisioned, failed));
    }

    private static boolean isOurs(Resource source, Resource present) {
        return present.controller()
                .filter(owner -> owner.kind().equals(KIND.kind())
                        && owner.group().equals(SecretKinds.GROUP)
                        && owner.name().equals(source.name()))
                .isPresent();
    }

    private static Change made(Resource source, String namespace) {
        var metadata = metadata(source)
                .with("name", Json.of(name(source)))
                .with("namespace", Json.of(namespace))
                .with("ownerReferences", Json.Arr.of(source.asOwner(true).json()));
        var object = Json.Obj.builder()
                .put("apiVersion", SecretKinds.EXTERNAL_SECRET.apiVersion())
                .put("kind", SecretKinds.EXTERNAL_SECRET.kind())
                .put("metadata", metadata)
                .put("spec", source.spec().object("externalSecretSpec"))
                .build();
        return new Change.TryCreate(
                SecretKinds.EXTERNAL_SECRET, source.with(object), refusal -> refused(source, namespace, refusal));
    }

    private static Plan refused(Resource source, String namespace, StatusError refusal) {
        var before = source.status().array("provisionedNamespaces").strings().stream()
                .filter(each -> !each.equals(namespace))
                .toList();
        var why = "could not create or update ExternalSecret: " + refusal.text();
        return Plan.NONE.setStatus(KIND, source, status(source, before, Map.of(namespace, why)));
    }

    private static Json.Obj metadata(Resource source) {
        var wanted = source.spec().object("externalSecretMetadata");
        var annotations = new TreeMap<>(wanted.stringMap("annotations"));
        var force = source.annotations().get(FORCE_SYNC);
        if (force != null) {
            annotations.put(FORCE_SYNC, force);
        }
        var metadata = Json.Obj.builder();
        metadata.putNonEmpty("labels", wanted.object("labels"));
        metadata.putNonEmpty("annotations", Json.Obj.ofStrings(annotations));
        return metadata.build();
    }

    private static Plan changed(Resource source, Resource present) {
        var wanted = metadata(source);
        var metadata = Json.Obj.builder();
        for (var part : List.of("labels", "annotations")) {
            metadata.putNonEmpty(part, MergePatch.diff(present.metadata().object(part), wanted.object(part)));
        }
        var fields = Json.Obj.builder();
        fields.putNonEmpty("metadata", metadata.build());
        fields.putNonEmpty("spec", MergePatch.diff(present.spec(), source.spec().object("externalSecretSpec")));
        var changes = fields.build();
        return changes.size() == 0 || present.isDeleting()
                ? Plan.NONE
                : Plan.NONE.patch(SecretKinds.EXTERNAL_SECRET, present, changes);
    }

    private static Json.Obj status(Resource source, List<String> provisioned, Map<String, String> failed) {
        var failures = new ArrayList<Json>();
        failed.forEach((namespace, reason) ->
                failures.add(Json.Obj.of("namespace", Json.of(namespace), "reason", Json.of(reason))));
        var condition = Json.Obj.builder().put("type", "Ready").put("status", failed.isEmpty() ? "True" : "False");
        condition.putNonEmpty("message", failed.isEmpty() ? "" : "one or more namespaces failed");
        var status = Json.Obj.builder()
                .put("externalSecretName", name(source))
                .put("conditions", Json.Arr.of(condition.build()));
        status.putNonEmpty("failedNamespaces", new Json.Arr(failures));
        status.putNonEmpty(
                "provisionedNamespaces",
                Json.Arr.ofStrings(provisioned.stream().sorted().toList()));
        return status.build();
    }
}
