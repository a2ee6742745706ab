package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Makes the namespaces of a space and lets the tenant in; and takes all of it away, the way in first.
public final class SpaceReconciler implements Reconciler<Json.Obj, SpaceFacts> {

    private final Door door;

    SpaceReconciler(Door door) {
        this.door = door;
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, SpaceFacts facts, Instant now) {
        var asked = observed.object();
        if (asked.isDeleting()) {
            return asked.finalizers().contains(door.finalizer()) ? takenAway(asked, facts, now) : Plan.none();
        }
        var end = door.ends(asked);
        if (end.filter(moment -> !now.isBefore(moment)).isPresent()) {
            return Plan.none().delete(door.kind(), asked);
        }
        var plan = new Plan.Builder();
        if (!asked.finalizers().contains(door.finalizer())) {
            plan.patch(door.kind(), asked, Objects.withFinalizer(asked, door.finalizer()));
        }
        return plan.build(end).then(stands(asked, facts, observed.problem(), now));
    }

    private Plan stands(Resource asked, SpaceFacts facts, Optional<String> trouble, Instant now) {
        if (facts.problem().isPresent()) {
            var problem = facts.problem().get();
            return said(
                    asked,
                    problem.mayPass() ? new SpaceState.Waits(problem.why()) : new SpaceState.Fails(problem.why()),
                    now);
        }
        if (trouble.isPresent()) {
            // Tried again all the same: what stands in the way may go.
            return said(asked, new SpaceState.Fails(trouble.get()), now).then(furnished(asked, facts, now));
        }
        var work = furnished(asked, facts, now);
        var rooms = facts.rooms().stream().map(SpaceFacts.Furnished::room).toList();
        return work.then(
                said(asked, new SpaceState.Stands(rooms, !facts.account().isEmpty(), facts.url()), now));
    }

    private Plan furnished(Resource asked, SpaceFacts facts, Instant now) {
        var plan = Plan.none();
        for (var each : facts.rooms()) {
            var room = each.room();
            if (!room.isMade(each.namespace())) {
                plan = plan.then(room.made(asked, labels(asked)));
            }
            if (!facts.account().isEmpty()) {
                var connection = new Connection(door, asked, room, facts.account(), facts.url());
                plan = plan.then(connection.plan(each.secret(), now));
            }
        }
        return plan;
    }

    private static Map<String, String> labels(Resource asked) {
        return Map.of(
                Door.LABELS + "spacerequest-namespace", asked.namespace(), "konflux-ci.dev/namespace-type", "eaas");
    }

    private Plan said(Resource asked, SpaceState state, Instant now) {
        return Plan.none().setStatus(door.kind(), asked, door.status(asked, state, now));
    }

    /// The account goes before its namespace, which may have much to clear away: from then on its tokens are worthless.
    private Plan takenAway(Resource asked, SpaceFacts facts, Instant now) {
        if (facts.remains().isEmpty()) {
            return Plan.none().patch(door.kind(), asked, Objects.withoutFinalizer(asked, door.finalizer()));
        }
        var plan = new Plan.Builder();
        facts.accounts().forEach(account -> plan.delete(ServiceAccounts.KIND, account));
        facts.remains().forEach(namespace -> plan.delete(Namespaces.KIND, namespace));
        return plan.build().then(said(asked, new SpaceState.Ends(), now));
    }
}
