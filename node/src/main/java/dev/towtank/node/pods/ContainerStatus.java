package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.node.pods.ContainerFacts.Exited;
import dev.towtank.node.pods.ContainerFacts.Instance;
import dev.towtank.node.pods.ContainerFacts.None;
import dev.towtank.node.pods.ContainerFacts.Running;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// An entry of `status.containerStatuses`.
final class ContainerStatus {

    private ContainerStatus() {}

    static Json.Obj of(Resource pod, Json.Obj container, ContainerFacts facts) {
        boolean init = Containers.isInit(pod, container);
        boolean waits = facts.problem().isPresent();
        var last = waits ? facts.exit().or(facts::previous) : facts.previous();
        var status = Json.Obj.builder()
                .put("name", Containers.name(container))
                .put("state", waits ? waiting(facts.problem().get()) : state(pod, facts.instance()))
                .put("lastState", last.map(ContainerStatus::terminated).orElse(Json.Obj.EMPTY))
                .put("ready", isReady(init && !Containers.isSidecar(container), facts))
                .put("restartCount", facts.restarts())
                .put("image", reference(container, facts))
                .put("imageID", facts.hasRun() ? facts.image().id() : "")
                .putNonEmpty("containerID", id(facts.instance()))
                .put("started", facts.isRunning() && facts.started());
        if (facts.hasRun()) {
            var resources = resources(container, facts);
            status.putNonEmpty("allocatedResources", resources.object("requests"))
                    .put("resources", resources);
        }
        return status.putNonEmpty("volumeMounts", mounts(container)).build();
    }

    /// Of a container that is about to be replaced still the old one.
    private static String reference(Json.Obj container, ContainerFacts facts) {
        var used = facts.image().reference();
        return used.isEmpty() ? container.string("image") : used;
    }

    /// Of a container that is about to be resized still the old ones.
    private static Json.Obj resources(Json.Obj container, ContainerFacts facts) {
        return facts.image().reference().isEmpty()
                ? container.object("resources")
                : facts.image().resources();
    }

    static ContainerFacts.StartedOn image(Json.Obj status) {
        return new ContainerFacts.StartedOn(
                status.string("image"), status.string("imageID"), status.object("resources"));
    }

    private static boolean isReady(boolean runsOnce, ContainerFacts facts) {
        if (runsOnce) {
            return facts.exit().filter(Exited::succeeded).isPresent();
        }
        return facts.isRunning() && facts.started() && facts.ready();
    }

    private static String id(Instance instance) {
        return switch (instance) {
            case None _ -> "";
            case Running(var id, var _) -> id;
            case Exited exit -> exit.id();
        };
    }

    private static Json.Obj state(Resource pod, Instance instance) {
        return switch (instance) {
            case None _ -> {
                var reason = Containers.init(pod).isEmpty() ? "ContainerCreating" : "PodInitializing";
                yield Json.Obj.of("waiting", Json.Obj.of("reason", Json.of(reason)));
            }
            case Running(var _, var startedAt) ->
                Json.Obj.of("running", Json.Obj.of("startedAt", Json.of(timestamp(startedAt))));
            case Exited exit -> terminated(exit);
        };
    }

    private static Json.Obj waiting(ContainerFacts.Problem problem) {
        var why = Json.Obj.builder()
                .putNonEmpty("message", problem.message())
                .putNonEmpty("reason", problem.reason())
                .build();
        return Json.Obj.of("waiting", why);
    }

    private static Json.Obj terminated(Exited exit) {
        var end = Json.Obj.builder()
                .putNonEmpty("containerID", exit.id())
                .put("exitCode", exit.code())
                .put("finishedAt", timestamp(exit.finishedAt()))
                .putNonEmpty("message", exit.message())
                .putNonEmpty("reason", exit.reason())
                .put("startedAt", timestamp(exit.startedAt()))
                .build();
        return Json.Obj.of("terminated", end);
    }

    private static Json.Arr mounts(Json.Obj container) {
        return new Json.Arr(container.objects("volumeMounts").stream()
                .<Json>map(mount -> {
                    var shown = Json.Obj.builder()
                            .put("name", mount.string("name"))
                            .put("mountPath", mount.string("mountPath"));
                    if (mount.flag("readOnly")) {
                        shown.put("readOnly", true).put("recursiveReadOnly", "Disabled");
                    }
                    return shown.build();
                })
                .toList());
    }

    /// What a status says about the newest instance of a container, to go on from after a restart of the server.
    static Instance instance(Json.Obj status) {
        var state = status.object("state");
        if (state.get("running") instanceof Json.Obj running) {
            return new Running(status.string("containerID"), instant(running.string("startedAt")));
        }
        // A container that waits for its next start has its newest instance in the last state.
        var ended = state.get("waiting") == null ? state : status.object("lastState");
        return exited(ended).<Instance>map(exit -> exit).orElseGet(None::new);
    }

    static Optional<Exited> previous(Json.Obj status) {
        return status.object("state").get("waiting") == null ? exited(status.object("lastState")) : Optional.empty();
    }

    private static Optional<Exited> exited(Json.Obj state) {
        return state.get("terminated") instanceof Json.Obj end
                ? Optional.of(new Exited(
                        end.string("containerID"),
                        (int) end.integer("exitCode"),
                        end.string("reason"),
                        end.string("message"),
                        instant(end.string("startedAt")),
                        instant(end.string("finishedAt"))))
                : Optional.empty();
    }

    /// The entry of the named container in any of the pod's lists.
    static Optional<Json.Obj> find(Resource pod, String name) {
        for (var list : List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")) {
            for (var status : pod.status().objects(list)) {
                if (status.string("name").equals(name)) {
                    return Optional.of(status);
                }
            }
        }
        return Optional.empty();
    }

    static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    static String timestamp(Instant moment) {
        return moment.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
