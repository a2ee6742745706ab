package dev.towtank.controllers.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.models.api.Drift;
import dev.towtank.controllers.models.api.ModelKinds;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DriftReconcilerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static Resource policy(Json.Obj status, String format) {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: towtank.dev/v1
                kind: DriftPolicy
                metadata: {name: watch, namespace: team, generation: 1}
                spec:
                  {model: m, threshold: 0.2, coolDown: 1h, minRows: 10, alert: {url: 'http://h/', format: %s, labels: {team: ml}}}
                status: %s
                """.formatted(format, JsonText.write(status))));
    }

    private static Drift.Reading reading(long rows, double index) {
        return new Drift.Reading(true, rows, new TreeMap<>(Map.of("a", index, "b", 0.1)), OptionalDouble.of(0.05));
    }

    private static Plan look(Json.Obj status, String format, Drift.Reading reading, Instant now) {
        return new DriftReconciler()
                .reconcile(
                        Observed.of(ModelKinds.DRIFT_POLICY, policy(status, format)),
                        new DriftFacts("m", Optional.of(new Answer.Known<>(reading, now))),
                        now);
    }

    private static ModelDeed alert(Plan plan) {
        return (ModelDeed) ((Change.Act) plan.changes().getFirst()).deed();
    }

    private static Json.Obj status(Plan plan, String answer) {
        var whole = plan.changes().getFirst() instanceof Change.Act act
                ? act.sequel().after(Json.of(answer))
                : plan;
        return whole.changes().stream()
                .filter(Change.SetStatus.class::isInstance)
                .map(change -> ((Change.SetStatus) change).status())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aDriftIsToldOnceWithinItsPauseAndTakenBack() {
        var first = look(Json.Obj.EMPTY, "webhook", reading(50, 0.3), NOW);
        var body = (Json.Obj) alert(first).body();
        assertThat(body.string("status")).isEqualTo("firing");
        assertThat(body.string("version")).isEqualTo("4");
        assertThat(body.object("commonLabels"))
                .isEqualTo(
                        YamlText.parse("{alertname: ModelDrift, model: m, namespace: team, policy: watch, team: ml}"));
        assertThat(body.objects("alerts").getFirst().string("endsAt")).isEqualTo("0001-01-01T00:00:00Z");
        assertThat(body.objects("alerts").getFirst().string("fingerprint")).matches("[0-9a-f]{16}");
        assertThat(body.string("commonAnnotations", "summary"))
                .isEqualTo("Model m drifts, PSI of a is 0.300, of its predictions 0.050");

        var drifting = status(first, "");
        assertThat(drifting.string("phase")).isEqualTo("Drifting");
        var second = look(drifting, "webhook", reading(60, 0.4), NOW.plusSeconds(3599));
        assertThat(second.changes()).noneMatch(Change.Act.class::isInstance);
        assertThat(second.lookAgain()).hasValue(NOW.plusSeconds(3600));
        var again = look(drifting, "webhook", reading(60, 0.4), NOW.plusSeconds(3600));
        assertThat(((Json.Obj) alert(again).body()).objects("alerts").getFirst().string("startsAt"))
                .isEqualTo("2026-01-01T00:00:00Z");

        var over = look(drifting, "webhook", reading(60, 0.1), NOW.plusSeconds(60));
        assertThat(((Json.Obj) alert(over).body()).string("status")).isEqualTo("resolved");
        var stable = status(over, "");
        assertThat(stable.has("startsAt")).isFalse();
        // The next one within the pause is not told.
        assertThat(look(stable, "webhook", reading(60, 0.4), NOW.plusSeconds(120))
                        .changes())
                .noneMatch(Change.Act.class::isInstance);
    }

    @Test
    void whoCannotBeToldIsTriedAgain() {
        var first = look(Json.Obj.EMPTY, "webhook", reading(50, 0.3), NOW);
        var status = status(first, "it answers 500");

        assertThat(first.lookAgain()).hasValue(NOW.plusSeconds(30));
        assertThat(status.string("problem")).isEqualTo("http://h/ was not told: it answers 500");
        assertThat(look(status, "webhook", reading(50, 0.3), NOW.plusSeconds(30))
                        .changes())
                .anyMatch(Change.Act.class::isInstance);
    }

    @Test
    void alertmanagerIsToldInItsOwnForm() {
        var body = alert(look(Json.Obj.EMPTY, "alertmanager", reading(50, 0.3), NOW))
                .body();

        assertThat(body).isInstanceOf(Json.Arr.class);
        assertThat(((Json.Arr) body).objects().getFirst().string("labels", "alertname"))
                .isEqualTo("ModelDrift");
        assertThat(((Json.Arr) body).objects().getFirst().string("endsAt")).isEqualTo("2026-01-01T01:05:00Z");
    }

    @Test
    void fewRowsAndNoProfileSayNothing() {
        assertThat(status(look(Json.Obj.EMPTY, "webhook", reading(9, 5), NOW), "")
                        .string("phase"))
                .isEqualTo("TooFewRows");
        var none = new Drift.Reading(false, 500, new TreeMap<>(), OptionalDouble.empty());
        assertThat(status(look(Json.Obj.EMPTY, "webhook", none, NOW), "").string("phase"))
                .isEqualTo("NoProfile");
    }

    @Test
    void addressesAndTimesAreChecked() {
        var rules = new AddressRules(ModelKinds.DRIFT_POLICY);
        var good = policy(Json.Obj.EMPTY, "webhook").json();

        assertThat(rules.refusal(good, null)).isEmpty();
        for (var wrong : Map.of("window", "soon", "coolDown", "-1s").entrySet()) {
            assertThat(rules.refusal(good.with(List.of("spec", wrong.getKey()), Json.of(wrong.getValue())), null)
                            .map(StatusError::text)
                            .orElse("accepted"))
                    .contains("spec." + wrong.getKey());
        }
        for (var url : List.of("", "ftp://h/", "http://user:word@h/", "http:///x", "h:80", "http://a b/")) {
            assertThat(rules.refusal(good.with(List.of("spec", "alert", "url"), Json.of(url)), null))
                    .as(url)
                    .isPresent();
        }
    }

    @Test
    void servicesAreReachedByTheirNames() {
        var service = Resource.of((Json.Obj) YamlText.parse("""
                {apiVersion: v1, kind: Service, metadata: {name: el-train, namespace: team}, spec: {clusterIP: 10.1.2.3}}
                """));
        var services = List.of(service);

        assertThat(WebAddress.resolved("http://el-train.team.svc.cluster.local:8080/x?y=1", services))
                .hasToString("http://10.1.2.3:8080/x?y=1");
        assertThat(WebAddress.resolved("http://el-train.team.svc", services)).hasToString("http://10.1.2.3");
        assertThat(WebAddress.resolved("http://el-train.other.svc:8080/", services))
                .hasToString("http://el-train.other.svc:8080/");
    }
}
