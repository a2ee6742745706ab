package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Labels and annotations, and where kustomize puts them.
final class Labels {

    private static final Set<String> WORKLOADS =
            Set.of("ReplicationController", "Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job");
    private static final List<FieldSpec> SELECTORS = selectors();
    private static final List<FieldSpec> TEMPLATE_LABELS = templates("labels");
    private static final List<FieldSpec> TEMPLATE_ANNOTATIONS = templates("annotations");
    private static final FieldSpec CLAIM_LABELS =
            new FieldSpec("apps", "StatefulSet", "spec/volumeClaimTemplates/metadata/labels", true);

    private Labels() {}

    /// @param more places that a configuration knows
    static Item label(Item item, Json.Obj labels, boolean selectors, boolean templates, Configuration more) {
        var places = new ArrayList<FieldSpec>();
        places.add(new FieldSpec("*", "*", "metadata/labels", true));
        if (selectors || templates) {
            places.addAll(TEMPLATE_LABELS);
            places.addAll(more.at("templateLabels"));
        }
        if (selectors) {
            places.addAll(SELECTORS);
            places.add(CLAIM_LABELS);
            places.addAll(more.at("commonLabels"));
        } else {
            places.addAll(more.at("labels"));
        }
        return put(item, places, labels);
    }

    static Item labelClaims(Item item, Json.Obj labels, Configuration more) {
        return put(put(item, List.of(CLAIM_LABELS), labels), more.at("volumeClaimTemplateLabels"), labels);
    }

    /// Labels are texts, even where somebody wrote a number.
    static Json.Obj texts(Json.Obj labels) {
        var texts = Json.Obj.builder();
        labels.forEach(
                (key, value) -> texts.put(key, value instanceof Json.Null ? Json.of("") : Json.of(value.display())));
        return texts.build();
    }

    static Json.Obj asTexts(Json.Obj object) {
        var changed = object;
        for (var field : List.of("labels", "annotations")) {
            if (changed.at("metadata", field) instanceof Json.Obj entries && entries.size() > 0) {
                changed = changed.with(List.of("metadata", field), texts(entries));
            }
        }
        return changed;
    }

    static Item annotate(Item item, Json.Obj annotations, Configuration more) {
        var places = new ArrayList<>(TEMPLATE_ANNOTATIONS);
        places.addAll(more.at("commonAnnotations"));
        places.addFirst(new FieldSpec("*", "*", "metadata/annotations", true));
        return put(item, places, annotations);
    }

    static Item put(Item item, List<FieldSpec> places, Json.Obj entries) {
        if (entries.size() == 0) {
            return item;
        }
        var object = item.object();
        for (var place : places) {
            if (place.isIn(item.id())
                    && (!place.equals(CLAIM_LABELS)
                            || !object.array("spec", "volumeClaimTemplates").isEmpty())) {
                object = FieldPaths.merge(object, place.path(), place.create(), entries);
            }
        }
        return item.with(object);
    }

    private static List<FieldSpec> templates(String field) {
        var places = new ArrayList<FieldSpec>();
        for (var kind : WORKLOADS.stream().sorted().toList()) {
            places.add(new FieldSpec("*", kind, "spec/template/metadata/" + field, true));
        }
        places.add(new FieldSpec("batch", "CronJob", "spec/jobTemplate/metadata/" + field, true));
        places.add(new FieldSpec("batch", "CronJob", "spec/jobTemplate/spec/template/metadata/" + field, true));
        return List.copyOf(places);
    }

    private static List<FieldSpec> selectors() {
        var places = new ArrayList<FieldSpec>();
        places.add(new FieldSpec("", "Service", "spec/selector", true));
        places.add(new FieldSpec("", "ReplicationController", "spec/selector", true));
        for (var kind : List.of("Deployment", "ReplicaSet", "DaemonSet")) {
            places.add(new FieldSpec("*", kind, "spec/selector/matchLabels", true));
        }
        places.add(new FieldSpec("apps", "StatefulSet", "spec/selector/matchLabels", true));
        for (var kind : List.of("Deployment", "StatefulSet")) {
            for (var affinity : List.of("podAffinity", "podAntiAffinity")) {
                var path = "spec/template/spec/affinity/" + affinity + "/";
                places.add(new FieldSpec(
                        "apps",
                        kind,
                        path
                                + "preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels",
                        false));
                places.add(new FieldSpec(
                        "apps",
                        kind,
                        path + "requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels",
                        false));
            }
            places.add(new FieldSpec(
                    "apps", kind, "spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels", false));
        }
        places.add(new FieldSpec("batch", "Job", "spec/selector/matchLabels", false));
        places.add(new FieldSpec("batch", "CronJob", "spec/jobTemplate/spec/selector/matchLabels", false));
        places.add(new FieldSpec("policy", "PodDisruptionBudget", "spec/selector/matchLabels", false));
        for (var path : List.of("spec/podSelector", "spec/ingress/from/podSelector", "spec/egress/to/podSelector")) {
            places.add(new FieldSpec("networking.k8s.io", "NetworkPolicy", path + "/matchLabels", false));
        }
        return List.copyOf(places);
    }
}
