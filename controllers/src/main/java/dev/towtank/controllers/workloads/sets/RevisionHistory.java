package dev.towtank.controllers.workloads.sets;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.workloads.pods.Children;
import dev.towtank.controllers.workloads.pods.Claim;
import dev.towtank.controllers.workloads.pods.Hashes;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.ControllerRevisions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The templates that a set had, each as a ControllerRevision with a number.
final class RevisionHistory {

    static final String POD_LABEL = "controller-revision-hash";
    private static final String HASH_LABEL = "controller.kubernetes.io/hash";

    /// One template.
    ///
    /// @param object the stored revision; nothing for one that is about to be created
    record Revision(String name, String hash, Json.Obj template, Optional<Resource> object) {}

    private final Resource set;
    private final String hashLabel;
    private final List<Revision> revisions;
    private final Plan.Builder plan = new Plan.Builder();
    private final Revision newest;

    private RevisionHistory(Resource set, String hashLabel, List<Resource> stored) {
        this.set = set;
        this.hashLabel = hashLabel;
        this.revisions = stored.stream()
                .filter(revision -> !revision.isDeleting())
                .sorted(Comparator.<Resource>comparingLong(
                                revision -> revision.json().integer("revision"))
                        .thenComparing(Resource::name))
                .map(this::read)
                .toList();
        this.newest = findNewest();
    }

    static RevisionHistory ofStatefulSet(Resource set, Claim.Candidates candidates) {
        return of(set, HASH_LABEL, candidates);
    }

    static RevisionHistory ofDaemonSet(Resource set, Claim.Candidates candidates) {
        return of(set, POD_LABEL, candidates);
    }

    private static RevisionHistory of(Resource set, String hashLabel, Claim.Candidates candidates) {
        var claim = Claim.of(ControllerRevisions.KIND, set, Claim.selector(set), candidates);
        var history = new RevisionHistory(set, hashLabel, claim.members());
        history.plan.add(claim.plan());
        return history;
    }

    private Revision read(Resource revision) {
        var template = revision.json().object("data", "spec", "template").without("$patch");
        return new Revision(
                revision.name(),
                revision.json().string("metadata", "labels", hashLabel),
                template,
                Optional.of(revision));
    }

    private Revision findNewest() {
        var template = set.spec().object("template");
        var equal = revisions.stream()
                .filter(revision -> revision.template.equals(template))
                .reduce((_, last) -> last);
        if (equal.isEmpty()) {
            return create(template);
        }
        if (!equal.get().equals(revisions.getLast())) {
            // A template that comes back is the newest again.
            equal.get()
                    .object
                    .ifPresent(known -> plan.patch(
                            ControllerRevisions.KIND, known, Json.Obj.of("revision", Json.of(nextNumber()))));
        }
        return equal.get();
    }

    private long nextNumber() {
        return revisions.isEmpty()
                ? 1
                : revisions
                                .getLast()
                                .object
                                .map(last -> last.json().integer("revision"))
                                .orElse(0L)
                        + 1;
    }

    private Revision create(Json.Obj template) {
        long collisions = 0;
        var hash = Hashes.of(template, collisions);
        while (isTaken(set.name() + "-" + hash)) {
            hash = Hashes.of(template, ++collisions);
        }
        var name = set.name() + "-" + hash;
        if (!set.isDeleting()) {
            plan.create(ControllerRevisions.KIND, object(name, hash, template));
        }
        return new Revision(name, hash, template, Optional.empty());
    }

    private boolean isTaken(String name) {
        return revisions.stream().anyMatch(revision -> revision.name.equals(name));
    }

    private Resource object(String name, String hash, Json.Obj template) {
        var metadata = Json.Obj.builder()
                .put("name", name)
                .putNonEmpty("namespace", set.namespace())
                .put("labels", template.object("metadata", "labels").with(hashLabel, Json.of(hash)))
                .putNonEmpty("annotations", set.metadata().object("annotations"))
                .put("ownerReferences", Children.owners(set))
                .build();
        var data = Json.Obj.of("spec", Json.Obj.of("template", template.with("$patch", Json.of("replace"))));
        return set.with(Json.Obj.builder()
                .put("apiVersion", ControllerRevisions.KIND.apiVersion())
                .put("kind", ControllerRevisions.KIND.kind())
                .put("metadata", metadata)
                .put("data", data)
                .put("revision", nextNumber())
                .build());
    }

    /// Of the template as it is now.
    Revision newest() {
        return newest;
    }

    Optional<Revision> named(String name) {
        return revisions.stream().filter(revision -> revision.name.equals(name)).findFirst();
    }

    /// The changes that keep the history itself.
    Plan plan() {
        return plan.build();
    }

    /// Deletes the oldest revisions that nothing uses.
    Plan cleanUp(Set<String> used, boolean byHash) {
        long limit = set.spec().integerOr(10, "revisionHistoryLimit");
        var unused = new ArrayList<Resource>();
        for (var revision : revisions) {
            boolean live = revision.name.equals(newest.name) || used.contains(byHash ? revision.hash : revision.name);
            if (!live) {
                revision.object.ifPresent(unused::add);
            }
        }
        var deletions = new Plan.Builder();
        if (limit >= 0) {
            unused.stream()
                    .limit(Math.max(0, unused.size() - limit))
                    .forEach(revision -> deletions.delete(ControllerRevisions.KIND, revision));
        }
        return deletions.build();
    }
}
