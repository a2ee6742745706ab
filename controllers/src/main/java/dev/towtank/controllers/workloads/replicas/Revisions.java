package dev.towtank.controllers.workloads.replicas;

import dev.towtank.controllers.workloads.pods.Children;
import dev.towtank.controllers.workloads.pods.Hashes;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// The ReplicaSets of a Deployment as its history: which is which, and the annotations they carry.
final class Revisions {

    static final String REVISION = "deployment.kubernetes.io/revision";
    static final String HISTORY = "deployment.kubernetes.io/revision-history";
    static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
    static final String MAXIMUM = "deployment.kubernetes.io/max-replicas";
    static final String HASH = "pod-template-hash";

    private static final Set<String> NOT_COPIED = Set.of(
            "kubectl.kubernetes.io/last-applied-configuration",
            REVISION,
            HISTORY,
            DESIRED,
            MAXIMUM,
            "deprecated.deployment.rollback.to");

    private static final int LONGEST_HISTORY = 2000;
    private static final int LONGEST_NAME = 253;

    static final Comparator<Resource> OLDEST_FIRST = Comparator.<Resource, String>comparing(
                    set -> set.metadata().string("creationTimestamp"))
            .thenComparing(Resource::name);

    static final Comparator<Resource> BY_REVISION =
            Comparator.comparingLong(Revisions::revision).thenComparing(OLDEST_FIRST);

    private Revisions() {}

    static long revision(Resource set) {
        return number(set, REVISION);
    }

    /// The number in an annotation, or 0.
    static long number(Resource set, String annotation) {
        var text = set.json().string("metadata", "annotations", annotation);
        return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
    }

    static boolean has(Resource set, String annotation) {
        return set.json().object("metadata", "annotations").has(annotation);
    }

    static Json.Obj withoutHash(Json.Obj template) {
        var bare = template.without(List.of("metadata", "labels", HASH));
        return bare.object("metadata", "labels").size() == 0 ? bare.without(List.of("metadata", "labels")) : bare;
    }

    static boolean isOf(Resource set, Json.Obj template) {
        return withoutHash(set.spec().object("template")).equals(withoutHash(template));
    }

    static String hash(DeploymentSpec deployment) {
        return Hashes.of(
                withoutHash(deployment.template()), deployment.object().status().integer("collisionCount"));
    }

    static String name(DeploymentSpec deployment) {
        var hash = hash(deployment);
        var name = deployment.object().name();
        int room = LONGEST_NAME - hash.length() - 1;
        return (name.length() > room ? name.substring(0, room) : name) + "-" + hash;
    }

    static Resource newSet(DeploymentSpec deployment, long replicas, long revision) {
        var owner = deployment.object();
        var hash = Json.of(hash(deployment));
        var template = deployment.template().with(List.of("metadata", "labels", HASH), hash);
        var metadata = Json.Obj.builder()
                .put("name", name(deployment))
                .putNonEmpty("namespace", owner.namespace())
                .put("labels", template.object("metadata", "labels"))
                .put("annotations", newAnnotations(deployment, revision))
                .put("ownerReferences", Children.owners(owner))
                .build();
        var spec = Json.Obj.builder()
                .put("replicas", replicas)
                .putNonEmpty("minReadySeconds", Json.of(deployment.minReadySeconds()))
                .put("selector", owner.spec().object("selector").with(List.of("matchLabels", HASH), hash))
                .put("template", template)
                .build();
        return owner.with(Json.Obj.builder()
                .put("apiVersion", "apps/v1")
                .put("kind", "ReplicaSet")
                .put("metadata", metadata)
                .put("spec", spec)
                .build());
    }

    private static Json.Obj newAnnotations(DeploymentSpec deployment, long revision) {
        return copied(deployment.object(), Json.Obj.EMPTY)
                .with(REVISION, Json.of(Long.toString(revision)))
                .with(DESIRED, Json.of(Long.toString(deployment.replicas())))
                .with(MAXIMUM, Json.of(Long.toString(deployment.maxReplicas())));
    }

    /// The annotations of the Deployment that its newest ReplicaSet does not have yet.
    private static Json.Obj copied(Resource deployment, Json.Obj known) {
        var copied = Json.Obj.builder();
        deployment.json().object("metadata", "annotations").forEach((key, value) -> {
            if (!NOT_COPIED.contains(key) && !value.equals(known.get(key))) {
                copied.put(key, value);
            }
        });
        return copied.build();
    }

    /// The annotations that must change on the ReplicaSet that is, or has become, the newest.
    static Json.Obj newestAnnotations(Resource deployment, Resource set, long revision) {
        var changed = copied(deployment, set.json().object("metadata", "annotations"));
        long before = revision(set);
        if (before >= revision) {
            return changed;
        }
        changed = changed.with(REVISION, Json.of(Long.toString(revision)));
        return has(set, REVISION)
                ? changed.with(HISTORY, Json.of(history(set, set.json().string("metadata", "annotations", REVISION))))
                : changed;
    }

    private static String history(Resource set, String old) {
        var known = set.json().string("metadata", "annotations", HISTORY);
        if (known.isEmpty()) {
            return old;
        }
        var all = new ArrayList<>(Arrays.asList(known.split(",", -1)));
        all.add(old);
        while (String.join(",", all).length() > LONGEST_HISTORY) {
            all.removeFirst();
        }
        return String.join(",", all);
    }
}
