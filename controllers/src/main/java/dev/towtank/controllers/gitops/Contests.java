package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.ApplicationFacts.Compared;
import dev.towtank.controllers.gitops.ApplicationFacts.Condition;
import dev.towtank.controllers.gitops.diff.ManagedFields;
import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Two who set the same field in turn, a repository and somebody else: after the second time that is no drift but a
/// fight, and both are named.
final class Contests {

    private static final String TYPE = "ContestedFieldWarning";
    private static final int FLIPS = 2;
    private static final Duration REMEMBERED = Duration.ofSeconds(330);

    private Contests() {}

    static List<Condition> of(Json.Obj status, Compared compared, Instant now) {
        var state = status.object("operationState");
        boolean isRecent = state.string("phase").equals("Running")
                || Timestamps.parseSeconds(state.string("finishedAt"))
                        .filter(end -> end.plus(REMEMBERED).isAfter(now))
                        .isPresent();
        if (!isRecent || state.integer("operation", "sync", "autoHealAttemptsCount") < FLIPS) {
            return List.of();
        }
        var contests = new ArrayList<Condition>();
        for (var managed : compared.resources()) {
            if (!managed.isSynced()
                    && managed.live().isPresent()
                    && managed.target().isPresent()) {
                ManagedFields.contested(
                                managed.live().get(), stored(managed.target().get()), LiveObjects.MANAGER)
                        .forEach((manager, fields) -> contests.add(new Condition(
                                TYPE,
                                "%s and %s set the fields %s of %s in turn: take them out of Git, or name %s in ignoreDifferences (managedFieldsManagers)"
                                        .formatted(
                                                LiveObjects.MANAGER,
                                                manager,
                                                String.join(", ", fields),
                                                managed.key(),
                                                manager))));
            }
        }
        // Between two rounds nothing is to be seen of it.
        return contests.isEmpty() ? told(status) : contests;
    }

    /// A Secret's texts are kept among its data.
    private static Json.Obj stored(Json.Obj target) {
        var texts = target.object("stringData");
        return target.string("kind").equals("Secret") && texts.size() > 0
                ? target.with("data", joined(target.object("data"), texts))
                : target;
    }

    private static Json.Obj joined(Json.Obj some, Json.Obj more) {
        var all = some.toBuilder();
        more.forEach(all::put);
        return all.build();
    }

    private static List<Condition> told(Json.Obj status) {
        return status.objects("conditions").stream()
                .filter(each -> each.string("type").equals(TYPE))
                .map(each -> new Condition(TYPE, each.string("message")))
                .toList();
    }
}
