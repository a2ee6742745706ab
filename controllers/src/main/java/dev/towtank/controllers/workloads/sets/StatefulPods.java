package dev.towtank.controllers.workloads.sets;

import dev.towtank.controllers.workloads.pods.Children;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// The pods of a StatefulSet and their claims: everything about them follows from set and ordinal.
record StatefulPods(Resource set) {

    private static final String POD_NAME = "statefulset.kubernetes.io/pod-name";
    private static final String POD_INDEX = "apps.kubernetes.io/pod-index";

    long start() {
        return set.spec().integer("ordinals", "start");
    }

    long replicas() {
        return set.spec().integerOr(1, "replicas");
    }

    boolean isWanted(long ordinal) {
        return ordinal >= start() && ordinal < start() + replicas();
    }

    String name(long ordinal) {
        return set.name() + "-" + ordinal;
    }

    /// The ordinal of a pod that is named after the set.
    OptionalLong ordinal(Pod pod) {
        var prefix = set.name() + "-";
        var number = pod.name().startsWith(prefix) ? pod.name().substring(prefix.length()) : "";
        return number.matches("0|[1-9][0-9]{0,8}") ? OptionalLong.of(Long.parseLong(number)) : OptionalLong.empty();
    }

    Resource pod(long ordinal, RevisionHistory.Revision revision) {
        var name = name(ordinal);
        var pod = Children.pod(set, revision.template(), name);
        var json = pod.json()
                .with(List.of("metadata", "labels", POD_NAME), Json.of(name))
                .with(List.of("metadata", "labels", POD_INDEX), Json.of(Long.toString(ordinal)))
                .with(List.of("metadata", "labels", RevisionHistory.POD_LABEL), Json.of(revision.name()))
                .with(List.of("spec", "hostname"), Json.of(name));
        var service = set.spec().string("serviceName");
        json = service.isEmpty() ? json : json.with(List.of("spec", "subdomain"), Json.of(service));
        var volumes = volumes(json, ordinal);
        return pod.with(volumes.size() == 0 ? json : json.with(List.of("spec", "volumes"), volumes));
    }

    /// The claimed volumes first; they hide volumes of the same name in the template.
    private Json.Arr volumes(Json.Obj pod, long ordinal) {
        var claims = claims(ordinal);
        var volumes = new ArrayList<Json>();
        claims.forEach((volume, claim) -> volumes.add(Json.Obj.of(
                "name", Json.of(volume), "persistentVolumeClaim", Json.Obj.of("claimName", Json.of(claim.name())))));
        pod.objects("spec", "volumes").stream()
                .filter(volume -> !claims.containsKey(volume.string("name")))
                .forEach(volumes::add);
        return new Json.Arr(volumes);
    }

    /// The claims of an ordinal by the names of their volumes.
    Map<String, Resource> claims(long ordinal) {
        var claims = new LinkedHashMap<String, Resource>();
        for (var template : set.spec().objects("volumeClaimTemplates")) {
            var volume = template.string("metadata", "name");
            var labels = template.object("metadata", "labels").toBuilder()
                    .putAll(set.spec().object("selector", "matchLabels"));
            var metadata = Json.Obj.builder()
                    .put("name", volume + "-" + set.name() + "-" + ordinal)
                    .putNonEmpty("namespace", set.namespace())
                    .putNonEmpty("labels", labels.build())
                    .putNonEmpty("annotations", template.object("metadata", "annotations"))
                    .build();
            claims.put(
                    volume,
                    set.with(Json.Obj.builder()
                            .put("apiVersion", "v1")
                            .put("kind", "PersistentVolumeClaim")
                            .put("metadata", metadata)
                            .put("spec", template.object("spec"))
                            .build()));
        }
        return claims;
    }

    private boolean deletesWhen(String what) {
        return set.spec().string("persistentVolumeClaimRetentionPolicy", what).equals("Delete");
    }

    /// Whose a claim is, so that it goes with its set, or with its pod when the set shrinks, or stays.
    Json.Arr owners(Resource claim, Pod pod, long ordinal) {
        var owners = new ArrayList<Json>();
        for (var reference : claim.json().objects("metadata", "ownerReferences")) {
            if (!isReference(reference, "StatefulSet", set.name()) && !isReference(reference, "Pod", pod.name())) {
                owners.add(reference);
            }
        }
        boolean leaving = !isWanted(ordinal);
        if (deletesWhen("whenScaled") && leaving) {
            owners.add(pod.object().asOwner(true).json());
        } else if (deletesWhen("whenDeleted")) {
            owners.add(set.asOwner(true).json());
        }
        return new Json.Arr(owners);
    }

    private static boolean isReference(Json.Obj reference, String kind, String name) {
        return reference.string("kind").equals(kind) && reference.string("name").equals(name);
    }

    /// The claim belongs to a pod of the same name that is gone, and will go after it.
    static boolean isStale(Resource claim, String podName) {
        return claim.json().objects("metadata", "ownerReferences").stream()
                .anyMatch(reference -> isReference(reference, "Pod", podName));
    }
}
