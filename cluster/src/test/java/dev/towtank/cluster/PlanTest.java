package dev.towtank.cluster;

import static dev.towtank.cluster.Things.MAPS;
import static dev.towtank.cluster.Things.SECRETS;
import static dev.towtank.cluster.Things.THINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void readsLikeAToDoList() {
        var thing = Things.of(THINGS, "a", "{}");
        var plan = Plan.none()
                .create(MAPS, Things.of(MAPS, "child", "{\"data\":{\"k\":\"v\"}}"))
                .patch(THINGS, thing, JsonText.parseObject("{\"spec\":{\"x\":1}}"))
                .setStatus(THINGS, thing, JsonText.parseObject("{\"phase\":\"Done\"}"))
                .delete(THINGS, thing)
                .then(Change.Event.warning(thing, "Late", "it took an hour"))
                .then(Plan.lookAgainAt(NOON));

        assertThat(plan).hasToString("""
                create ConfigMap n/child {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"child","namespace":"n"},"data":{"k":"v"}}
                patch Thing n/a {"spec":{"x":1}}
                set status of Thing n/a {"phase":"Done"}
                delete Thing n/a
                event about Thing n/a: Warning Late: it took an hour
                look again at 2026-01-01T12:00:00Z""");
        assertThat(Plan.none()).hasToString("nothing to do");
    }

    @Test
    void hidesTheValuesOfSecrets() {
        var secret = Things.of(SECRETS, "s", """
                {"data":{"password":"aHVudGVyMg=="},"stringData":{"token":"hunter2"},
                 "metadata":{"name":"s","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"hunter2"}}}
                """);
        var plan = Plan.none()
                .create(SECRETS, secret)
                .patch(SECRETS, secret, JsonText.parseObject("{\"data\":{\"password\":\"aHVudGVyMg==\"}}"));

        assertThat(plan.toString())
                .contains("password", "token", "(hidden)")
                .doesNotContain("hunter2")
                .doesNotContain("aHVudGVyMg");
    }

    @Test
    void isNoneWhenThereIsNothingToDo() {
        var thing = Things.of(THINGS, "a", "{\"status\":{\"phase\":\"Done\"}}");
        var deleting = thing.with(thing.json()
                .with("metadata", thing.metadata().with("deletionTimestamp", Json.of(NOON.toString()))));

        assertThat(Plan.none().setStatus(THINGS, thing, thing.status()).isNone())
                .isTrue();
        assertThat(Plan.none().delete(THINGS, deleting).isNone()).isTrue();
        assertThat(Plan.none().then(Plan.none())).isSameAs(Plan.NONE);
        assertThat(Plan.lookAgainAt(NOON).isNone()).isFalse();
    }

    @Test
    void keepsTheEarlierMoment() {
        var later = NOON.plusSeconds(1);

        assertThat(Plan.lookAgainAt(later).then(Plan.lookAgainAt(NOON)).lookAgain())
                .contains(NOON);
        assertThat(Plan.lookAgainAt(NOON).then(Plan.lookAgainAt(later)).lookAgain())
                .contains(NOON);
        assertThat(Plan.lookAgainAt(NOON).then(Plan.none()).lookAgain()).contains(NOON);
        assertThat(Plan.none().then(Plan.lookAgainAt(NOON)).lookAgain()).contains(NOON);
    }

    @Test
    void canBeComparedAsJson() {
        var thing = Things.of(THINGS, "a", "{}");
        var plan = Plan.of(new Change.Delete(THINGS, thing), Change.Event.normal(thing, "Gone", "bye"))
                .then(Plan.lookAgainAt(NOON));

        assertThat(plan.json()).isEqualTo(JsonText.parse("""
                [{"delete":"Thing n/a"},
                 {"event":"Normal Gone","about":"Thing n/a","message":"bye"},
                 {"lookAgain":"2026-01-01T12:00:00Z"}]
                """));
    }
}
