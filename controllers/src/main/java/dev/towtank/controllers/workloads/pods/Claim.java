package dev.towtank.controllers.workloads.pods;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Trigger;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ReplicationControllers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Which objects are an owner's own: those that name it and that its selector means. Others that the selector means and
/// nobody owns are adopted; own ones that it no longer means are let go.
///
/// @param plan the adoptions and releases
public record Claim(List<Resource> members, Plan plan) {

    /// Objects without a controller, by namespace.
    private static final Cache.Index ORPHANS =
            new Cache.Index("orphan", object -> isOrphan(object) ? List.of(place(object)) : List.of());

    public Claim {
        members = List.copyOf(members);
    }

    /// What may be an owner's.
    ///
    /// @param owned names it as controller
    /// @param orphans has no controller
    /// @param taken whether a name in the owner's namespace is in use, by one of these or by somebody else's
    public record Candidates(List<Resource> owned, List<Resource> orphans, Predicate<String> taken) {
        public static Candidates of(Cache cache, Resource owner) {
            var owned = cache.ownedBy(owner.uid()).stream()
                    .filter(object -> isOwned(object, owner))
                    .toList();
            return new Candidates(owned, cache.by(ORPHANS, place(owner)), name -> isTaken(name, cache, owner, owned));
        }

        /// An own child that the cache got since the others were listed counts as missing, so its name must be given
        /// once more: "already exists" is harmless, and a free name would be one child too many.
        private static boolean isTaken(String name, Cache cache, Resource owner, List<Resource> owned) {
            var found = cache.get(new ObjectName(owner.cluster(), owner.namespace(), name));
            return found.isPresent()
                    && (!isOwned(found.get(), owner)
                            || owned.stream().anyMatch(child -> child.name().equals(name)));
        }
    }

    private static boolean isOwned(Resource object, Resource owner) {
        return object.controller()
                .filter(controller -> controller.uid().equals(owner.uid()))
                .isPresent();
    }

    private static boolean isOrphan(Resource object) {
        return object.json().array("metadata", "ownerReferences").size() == 0
                || object.controller().isEmpty();
    }

    private static String place(Resource object) {
        return object.cluster().id() + ":" + object.namespace();
    }

    public static Claim of(Kind<?> kind, Resource owner, LabelSelector selector, Candidates candidates) {
        return of(kind, owner, selector, candidates, "");
    }

    /// @param finalizer what members carry besides the owner, or empty
    public static Claim of(
            Kind<?> kind, Resource owner, LabelSelector selector, Candidates candidates, String finalizer) {
        var members = new ArrayList<Resource>();
        var plan = new Plan.Builder();
        for (var object : candidates.owned) {
            if (selector.matches(object.json())) {
                members.add(object);
            } else if (!owner.isDeleting() && !object.isDeleting()) {
                plan.patch(kind, object, release(object, owner, finalizer));
            }
        }
        if (!owner.isDeleting() && !selector.matchesEverything()) {
            for (var object : candidates.orphans) {
                if (!object.isDeleting() && selector.matches(object.json()) && !new Pod(object).isFinished()) {
                    members.add(object);
                    plan.patch(kind, object, adoption(object, owner, finalizer));
                }
            }
        }
        return new Claim(members, plan.build());
    }

    private static Json.Obj adoption(Resource object, Resource owner, String finalizer) {
        var owners = object.json()
                .array("metadata", "ownerReferences")
                .plus(owner.asOwner(true).json());
        var finalizers = new ArrayList<>(object.finalizers());
        if (!finalizer.isEmpty() && !finalizers.contains(finalizer)) {
            finalizers.add(finalizer);
        }
        return metadata(object, owners, finalizers);
    }

    private static Json.Obj release(Resource object, Resource owner, String finalizer) {
        var owners = new Json.Arr(object.json().objects("metadata", "ownerReferences").stream()
                .filter(reference -> !reference.string("uid").equals(owner.uid()))
                .<Json>map(reference -> reference)
                .toList());
        var finalizers = new ArrayList<>(object.finalizers());
        finalizers.remove(finalizer);
        return metadata(object, owners, finalizers);
    }

    private static Json.Obj metadata(Resource object, Json.Arr owners, List<String> finalizers) {
        var metadata = Json.Obj.of("ownerReferences", owners);
        return Json.Obj.of(
                "metadata",
                finalizers.equals(object.finalizers())
                        ? metadata
                        : metadata.with("finalizers", Json.Arr.ofStrings(finalizers)));
    }

    /// An object that nobody owns wakes those who would adopt it.
    private static Trigger orphans(Kind<?> kind, Cache owners) {
        return Trigger.of(kind, object -> {
            if (!isOrphan(object) || object.json().object("metadata", "labels").size() == 0) {
                return List.of();
            }
            return owners.in(object.cluster(), object.namespace()).stream()
                    .filter(owner -> selector(owner).matches(object.json()))
                    .map(ObjectName::of)
                    .toList();
        });
    }

    public static LabelSelector selector(Resource owner) {
        if (owner.kind().equals(ReplicationControllers.KIND.kind())) {
            return ReplicationControllers.selector(owner.json());
        }
        return LabelSelector.of(owner.json().at("spec", "selector") instanceof Json.Obj selector ? selector : null);
    }

    /// What wakes an owner: its own children, and orphans.
    public static List<Trigger> triggers(Kind<?> kind, Kind<?> ownerKind, Caches caches) {
        return List.of(Trigger.owned(kind, ownerKind), orphans(kind, caches.of(ownerKind)));
    }
}
