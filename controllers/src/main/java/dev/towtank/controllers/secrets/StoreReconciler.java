package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.time.Instant;

/// Says of a store whether it can be read.
final class StoreReconciler implements Reconciler<Json.Obj, StoreFinding> {

    private static final String INVALID = "InvalidProviderConfig";

    private final Kind<Json.Obj> kind;

    StoreReconciler(Kind<Json.Obj> kind) {
        this.kind = kind;
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, StoreFinding finding, Instant now) {
        if (observed.object().isDeleting()) {
            return Plan.NONE;
        }
        var plan = judged(observed, finding, now);
        // What it stands on is watched; who wants it looked at now and then all the same, says how often.
        long seconds = observed.object().spec().integerOr(0, "refreshInterval");
        return seconds > 0 && !(finding instanceof StoreFinding.NotOurs)
                ? plan.then(Plan.lookAgainAt(now.plusSeconds(seconds)))
                : plan;
    }

    private Plan judged(Observed<Json.Obj> observed, StoreFinding finding, Instant now) {
        return switch (finding) {
            case StoreFinding.NotOurs _ -> Plan.NONE;
            case StoreFinding.Valid _ -> valid(observed, now);
            case StoreFinding.Unknown(var cause) ->
                told(observed, Ready.yes("ValidationUnknown", "could not determine validation status"), cause, now);
            case StoreFinding.NoClient(var cause) ->
                told(observed, Ready.no(INVALID, "unable to create client"), cause, now);
            case StoreFinding.Invalid(var cause) ->
                told(observed, Ready.no(INVALID, "unable to validate store"), cause, now);
        };
    }

    private Plan valid(Observed<Json.Obj> observed, Instant now) {
        var ready = Ready.yes("Valid", "store validated");
        var status = ready.in(observed.status(), now).with("capabilities", Json.of("ReadWrite"));
        var plan = Plan.NONE.setStatus(kind, observed.object(), status);
        return ready.saysTheSameAs(Ready.of(observed.status()))
                ? plan
                : plan.then(Change.Event.normal(observed.object(), ready.reason(), ready.message()));
    }

    private Plan told(Observed<Json.Obj> observed, Ready ready, String cause, Instant now) {
        return ready.saysTheSameAs(Ready.of(observed.status()))
                ? Plan.NONE
                : Plan.NONE
                        .setStatus(kind, observed.object(), ready.in(observed.status(), now))
                        .then(Change.Event.warning(observed.object(), ready.reason(), cause));
    }
}
