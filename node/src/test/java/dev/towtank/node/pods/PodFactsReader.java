package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.node.pods.ContainerFacts.BackOff;
import dev.towtank.node.pods.ContainerFacts.Exited;
import dev.towtank.node.pods.ContainerFacts.None;
import dev.towtank.node.pods.ContainerFacts.Problem;
import dev.towtank.node.pods.ContainerFacts.Running;
import dev.towtank.node.pods.ContainerFacts.Unhealthy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Optional;

/// Facts about a pod as the test cases write them; the pod began a minute ago.
final class PodFactsReader {

    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private PodFactsReader() {}

    static PodFacts read(Json.Obj containers) {
        return read(containers, false);
    }

    static PodFacts read(Json.Obj containers, boolean over) {
        var facts = new HashMap<String, ContainerFacts>();
        containers.forEach((name, value) -> facts.put(name, container(name, (Json.Obj) value)));
        return new PodFacts(
                facts, NOW.minusSeconds(60), Optional.empty(), Optional.empty(), Optional.empty(), true, over);
    }

    private static ContainerFacts container(String name, Json.Obj given) {
        return new ContainerFacts(
                instance(name, given),
                given.has("previous")
                        ? Optional.of(exited("old-" + name, (int) given.integer("previous"), -40))
                        : Optional.empty(),
                (int) given.integer("restarts"),
                given.has("problem")
                        ? Optional.of(new Problem(
                                given.string("problem"),
                                given.string("message"),
                                NOW.plusSeconds(given.integer("retry"))))
                        : Optional.empty(),
                !given.has("started") || given.flag("started"),
                !given.has("ready") || given.flag("ready"),
                given.has("unhealthy") ? Optional.of(Unhealthy.valueOf(given.string("unhealthy"))) : Optional.empty(),
                given.has("stopBy") ? Optional.of(NOW.plusSeconds(given.integer("stopBy"))) : Optional.empty(),
                given.has("backOff")
                        ? Optional.of(new BackOff(
                                Duration.ofSeconds(given.integer("backOff")),
                                NOW.plusSeconds(given.integer("updated"))))
                        : Optional.empty(),
                new ContainerFacts.StartedOn(
                        given.string("image"),
                        given.has("imageId") ? given.string("imageId") : given.string("image"),
                        given.object("resources")));
    }

    private static ContainerFacts.Instance instance(String name, Json.Obj given) {
        if (given.flag("running")) {
            return new Running("towtank://" + name, NOW.minusSeconds(30));
        }
        return given.has("exited")
                ? exited(name, (int) given.integer("exited"), given.integerOr(-5, "finished"))
                : new None();
    }

    private static Exited exited(String name, int code, long finished) {
        return new Exited(
                "towtank://" + name,
                code,
                code == 0 ? "Completed" : "Error",
                "",
                NOW.minusSeconds(30),
                NOW.plusSeconds(finished));
    }
}
