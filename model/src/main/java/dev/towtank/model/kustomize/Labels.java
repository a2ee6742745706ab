package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Labels and annotations, and where kustomize puts them.
final class Labels {

    /// A place in objects of a kind.
    ///
    /// @param group `*` for any
    /// @param kind `*` for any
    private record Place(String group, String kind, String path, boolean create) {
        boolean isIn(Id id) {
            return (group.equals("*") || group.equals(id.group())) && (kind.equals("*") || kind.equals(id.kind()));
        }
    }

    private static final Set<String> WORKLOADS =
            Set.of("ReplicationController", "Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job");
    private static final List<Place> SELECTORS = selectors();
    private static final List<Place> TEMPLATE_LABELS = templates("labels");
    private static final List<Place> TEMPLATE_ANNOTATIONS = templates("annotations");
    private static final Place CLAIM_LABELS =
            new Place("apps", "StatefulSet", "spec/volumeClaimTemplates/metadata/labels", true);

    private Labels() {}

    static Item label(Item item, Json.Obj labels, boolean selectors, boolean templates) {
        var places = new ArrayList<Place>();
        places.add(new Place("*", "*", "metadata/labels", true));
        if (selectors || templates) {
            places.addAll(TEMPLATE_LABELS);
        }
        if (selectors) {
            places.addAll(SELECTORS);
            places.add(CLAIM_LABELS);
        }
        return put(item, places, labels);
    }

    static Item labelClaims(Item item, Json.Obj labels) {
        return put(item, List.of(CLAIM_LABELS), labels);
    }

    static Item labelFields(Item item, Json.Obj labels, Json.Arr fields) {
        var places = fields.objects().stream()
                .map(field -> new Place(
                        orAny(field.string("group")),
                        orAny(field.string("kind")),
                        field.string("path"),
                        field.flag("create")))
                .toList();
        return put(item, places, labels);
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

    private static String orAny(String value) {
        return value.isEmpty() ? "*" : value;
    }

    static Item annotate(Item item, Json.Obj annotations) {
        var places = new ArrayList<>(TEMPLATE_ANNOTATIONS);
        places.addFirst(new Place("*", "*", "metadata/annotations", true));
        return put(item, places, annotations);
    }

    private static Item put(Item item, List<Place> places, Json.Obj entries) {
        if (entries.size() == 0) {
            return item;
        }
        var object = item.object();
        for (var place : places) {
            if (place.isIn(item.id())
                    && (!place.equals(CLAIM_LABELS)
                            || !object.array("spec", "volumeClaimTemplates").isEmpty())) {
                object = Fields.merge(object, place.path, place.create, entries);
            }
        }
        return item.with(object);
    }

    private static List<Place> templates(String field) {
        var places = new ArrayList<Place>();
        for (var kind : WORKLOADS.stream().sorted().toList()) {
            places.add(new Place("*", kind, "spec/template/metadata/" + field, true));
        }
        places.add(new Place("batch", "CronJob", "spec/jobTemplate/metadata/" + field, true));
        places.add(new Place("batch", "CronJob", "spec/jobTemplate/spec/template/metadata/" + field, true));
        return List.copyOf(places);
    }

    private static List<Place> selectors() {
        var places = new ArrayList<Place>();
        places.add(new Place("", "Service", "spec/selector", true));
        places.add(new Place("", "ReplicationController", "spec/selector", true));
        for (var kind : List.of("Deployment", "ReplicaSet", "DaemonSet")) {
            places.add(new Place("*", kind, "spec/selector/matchLabels", true));
        }
        places.add(new Place("apps", "StatefulSet", "spec/selector/matchLabels", true));
        for (var kind : List.of("Deployment", "StatefulSet")) {
            for (var affinity : List.of("podAffinity", "podAntiAffinity")) {
                var path = "spec/template/spec/affinity/" + affinity + "/";
                places.add(new Place(
                        "apps",
                        kind,
                        path
                                + "preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels",
                        false));
                places.add(new Place(
                        "apps",
                        kind,
                        path + "requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels",
                        false));
            }
            places.add(new Place(
                    "apps", kind, "spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels", false));
        }
        places.add(new Place("batch", "Job", "spec/selector/matchLabels", false));
        places.add(new Place("batch", "CronJob", "spec/jobTemplate/spec/selector/matchLabels", false));
        places.add(new Place("policy", "PodDisruptionBudget", "spec/selector/matchLabels", false));
        for (var path : List.of("spec/podSelector", "spec/ingress/from/podSelector", "spec/egress/to/podSelector")) {
            places.add(new Place("networking.k8s.io", "NetworkPolicy", path + "/matchLabels", false));
        }
        return List.copyOf(places);
    }
}
