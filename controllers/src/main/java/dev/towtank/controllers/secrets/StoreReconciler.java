package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

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
        return again(observed.object(), finding, now)
                .map(pause -> plan.then(Plan.lookAgainAt(now.plus(pause))))
                .orElse(plan);
    }

    /// What is in this server is watched; who wants it looked at now and then all the same, says how often.
    private static Optional<Duration> again(Resource store, StoreFinding finding, Instant now) {
        long seconds = store.spec().integerOr(0, "refreshInterval");
        Optional<Duration> chosen = seconds > 0 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty();
        return switch (finding) {
            case StoreFinding.NotOurs _, StoreFinding.Awaited _ -> Optional.empty();
            case StoreFinding.Valid _ -> chosen;
            case StoreFinding.Unknown _, StoreFinding.NoClient _, StoreFinding.Invalid _ ->
                new Store(store).isElsewhere()
                        ? chosen.or(() -> Optional.of(Ready.of(store.status()).pause(now)))
                        : chosen;
        };
    }

    private Plan judged(Observed<Json.Obj> observed, StoreFinding finding, Instant now) {
        return switch (finding) {
            case StoreFinding.NotOurs _, StoreFinding.Awaited _ -> Plan.NONE;
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
        var status = ready.in(observed.status(), now)
                .with("capabilities", Json.of(new Store(observed.object()).capabilities()));
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
