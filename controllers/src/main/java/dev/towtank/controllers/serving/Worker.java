package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.controllers.serving.api.ServingPods;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A pod that serves a revision's model, or is about to.
record Worker(Resource pod) {

    private static final String NETWORK = "towtank.dev/network";

    /// Why a model is not served.
    ///
    /// @param reason as in `modelStatus.lastFailureInfo`
    record Failure(String reason, String message, long exitCode, String pod, String time) {}

    String revision() {
        return pod.labels().getOrDefault(Revision.REVISION_LABEL, "");
    }

    /// It does not serve, and will not any more.
    boolean isEnding() {
        return ServingPods.isEnding(pod);
    }

    boolean isFinished() {
        return ServingPods.isFinished(pod);
    }

    /// Its model has answered: until then its probe fails.
    boolean isReady() {
        return ServingPods.isReady(pod);
    }

    boolean isRunning() {
        return main().object("state").has("running")
                || pod.status().objects("initContainerStatuses").stream()
                        .anyMatch(container -> container.object("state").has("running"));
    }

    private Json.Obj main() {
        return pod.status().objects("containerStatuses").stream()
                .filter(Template::isMain)
                .findFirst()
                .orElse(Json.Obj.EMPTY);
    }

    Routes.Target target() {
        return ServingPods.target(pod);
    }

    /// What keeps it from serving, where that is known.
    Optional<Failure> failure() {
        if (isReady()) {
            return Optional.empty();
        }
        return pod.status().objects("initContainerStatuses").stream()
                .map(this::failure)
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> failure(main()))
                .or(this::unscheduled);
    }

    private Optional<Failure> failure(Json.Obj container) {
        var waiting = container.object("state", "waiting");
        var reason = waiting.string("reason");
        if (reason.contains("Image") || reason.contains("Error")) {
            return Optional.of(
                    new Failure("RuntimeUnhealthy", reason + ": " + waiting.string("message"), 0, pod.name(), ""));
        }
        for (var state : List.of("state", "lastState")) {
            var ended = container.object(state, "terminated");
            if (ended.size() > 0 && ended.integer("exitCode") != 0) {
                var message = ended.string("message").strip();
                return Optional.of(new Failure(
                        "ModelLoadFailed",
                        message.isEmpty() ? "The container ended with " + ended.string("reason") : message,
                        ended.integer("exitCode"),
                        pod.name(),
                        ended.string("finishedAt")));
            }
        }
        return Optional.empty();
    }

    private Optional<Failure> unscheduled() {
        return pod.status().objects("conditions").stream()
                .filter(condition -> condition.string("type").equals("PodScheduled")
                        && condition.string("status").equals("False"))
                .map(condition -> new Failure("RuntimeUnhealthy", condition.string("message"), 0, pod.name(), ""))
                .findFirst();
    }

    // --- Making one ---

    /// The pod's name, and its port where the server can be told one.
    static Resource of(Resource service, Track track, Revision revision, String name, Optional<Integer> port) {
        var template = revision.template();
        var labels = new LinkedHashMap<>(template.stringMap("metadata", "labels"));
        labels.putAll(Map.of(
                ServingKinds.SERVICE_LABEL,
                service.name(),
                "component",
                "predictor",
                "app",
                "isvc." + track.base(),
                Revision.TRACK_LABEL,
                track.base(),
                Revision.REVISION_LABEL,
                revision.name()));
        var metadata = Json.Obj.builder()
                .put("name", name)
                .put("namespace", service.namespace())
                .put("labels", Json.Obj.ofStrings(labels))
                .putNonEmpty("annotations", annotations(template, port))
                .put("ownerReferences", Json.Arr.of(service.asOwner(true).json()));
        var spec = template.object("spec");
        return service.with(Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("metadata", metadata.build())
                .put("spec", port.map(number -> onPort(spec, number)).orElse(spec))
                .build());
    }

    /// With a port that nobody else has, on the loopback, it needs no network of its own.
    private static Json.Obj annotations(Json.Obj template, Optional<Integer> port) {
        var annotations = template.object("metadata", "annotations");
        return port.isEmpty() || annotations.has(NETWORK) ? annotations : annotations.with(NETWORK, Json.of("machine"));
    }

    /// Whether it would meet others on its port, and listens where it is told to.
    ///
    /// @param networks whether pods that listen have networks of their own
    static boolean needsPort(Revision revision, boolean networks) {
        var template = revision.template();
        var asked = template.object("metadata", "annotations").string(NETWORK);
        boolean shares =
                !networks || asked.equals("machine") || template.object("spec").flag("hostNetwork");
        return shares && takesPort(revision);
    }

    private static boolean takesPort(Revision revision) {
        return revision.template().objects("spec", "containers").stream()
                .filter(Template::isMain)
                .anyMatch(container -> ServerArguments.value(
                                container.array("args").strings(), Template.PORT_ARGUMENT)
                        .isPresent());
    }

    // Where pods share the machine's network, each has a port of its own, which nobody but this machine can reach.
    private static Json.Obj onPort(Json.Obj spec, int port) {
        var containers = spec.array("containers").map(each -> {
            if (!(each instanceof Json.Obj container) || !Template.isMain(container)) {
                return each;
            }
            var arguments = ServerArguments.with(
                    container.array("args").strings(), Template.PORT_ARGUMENT, Integer.toString(port));
            var ports = container.array("ports");
            var first = ((Json.Obj) ports.get(0)).with("containerPort", Json.of(port));
            long old = ((Json.Obj) ports.get(0)).integer("containerPort");
            var moved = container
                    .with("args", Json.Arr.ofStrings(arguments))
                    .with("ports", new Json.Arr(replaced(ports, first)))
                    .with(
                            "env",
                            container
                                    .array("env")
                                    .plus(Json.Obj.of(
                                            "name", Json.of("ADDRESS"), "value", Json.of(ServingPods.LOCAL))));
            for (var probe : List.of("readinessProbe", "livenessProbe", "startupProbe")) {
                for (var how : List.of("httpGet", "tcpSocket")) {
                    if (moved.object(probe, how).integer("port") == old) {
                        moved = moved.with(List.of(probe, how, "port"), Json.of(port));
                    }
                }
            }
            return moved;
        });
        return spec.with("containers", containers);
    }

    private static List<Json> replaced(Json.Arr ports, Json first) {
        var all = new java.util.ArrayList<Json>();
        ports.forEach(all::add);
        all.set(0, first);
        return all;
    }
}
