package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.controllers.testclusters.logical.Delivery;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.kinds.core.Secrets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The Secret by which a tenant comes into a room: a token of the room's account, which ends with the account, and in
/// any
/// case within a day; before that a new one is written.
record Connection(Door door, Resource asked, Room room, String account, String url) {

    private static final String EXPIRES = "towtank.dev/expires";
    private static final String ADDRESS = "towtank.dev/address";
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final Duration SHORTEST = Duration.ofMinutes(10);

    Plan plan(Optional<Resource> secret, Instant now) {
        var foreign = secret.filter(each -> each.controller()
                .filter(owner -> owner.uid().equals(asked.uid()))
                .isEmpty());
        var good = secret.filter(each -> foreign.isEmpty() && isGood(each, now));
        if (good.isPresent()) {
            return renewal(good.get()).map(Plan::lookAgainAt).orElse(Plan.none());
        }
        var issue = new Delivery.Issue(room.cluster(), room.namespace(), account, room.namespace(), life(now));
        return Plan.of(new Change.Act(issue, keys -> written(secret.filter(_ -> foreign.isEmpty()), (Json.Obj) keys)));
    }

    /// Not beyond the end of the space.
    private Duration life(Instant now) {
        var rest = door.ends(asked).map(end -> Duration.between(now, end)).orElse(LONGEST);
        return rest.compareTo(SHORTEST) < 0 ? SHORTEST : rest.compareTo(LONGEST) > 0 ? LONGEST : rest;
    }

    private Plan written(Optional<Resource> before, Json.Obj keys) {
        var marks = Json.Obj.of(EXPIRES, Json.of(keys.string("expires")), ADDRESS, Json.of(url));
        var name = door.secret(asked, room.namespace());
        var metadata = Objects.owned(Objects.named(asked.namespace(), name), asked)
                .with("annotations", marks)
                .with("labels", Json.Obj.ofStrings(door.secretLabels(asked, room.namespace())));
        var secret = Objects.secret(metadata, door.contents(room, account, keys, url));
        return before.isEmpty()
                ? Plan.none().create(Secrets.KIND, secret)
                : Plan.none()
                        .patch(
                                Secrets.KIND,
                                before.get(),
                                Json.Obj.of(
                                        "metadata",
                                        Json.Obj.of("annotations", marks),
                                        "data",
                                        secret.json().object("data")));
    }

    private boolean isGood(Resource secret, Instant now) {
        return secret.annotations().getOrDefault(ADDRESS, "").equals(url)
                && secret.json().object("data").has("kubeconfig")
                && renewal(secret).filter(moment -> !now.isBefore(moment)).isEmpty();
    }

    /// With half of its life before it; never for one that is good to the end.
    private Optional<Instant> renewal(Resource secret) {
        var text = secret.annotations().getOrDefault(EXPIRES, "");
        if (text.isEmpty()) {
            return Optional.of(Instant.EPOCH);
        }
        var expires = Timestamps.parse(text);
        var isToTheEnd = door.ends(asked)
                .filter(end -> !expires.isBefore(end.minusSeconds(1)))
                .isPresent();
        return isToTheEnd ? Optional.empty() : Optional.of(expires.minus(LONGEST.dividedBy(2)));
    }
}
