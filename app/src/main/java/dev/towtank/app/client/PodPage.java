package dev.towtank.app.client;

import dev.towtank.cluster.pods.StandIn;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A pod for people.
final class PodPage {
    private PodPage() {}

    static void write(Page page, Json.Obj pod) {
        page.head(pod);
        page.fact("Node", pod.string("spec", "nodeName"));
        page.fact("Service account", pod.string("spec", "serviceAccountName"));
        page.fact("Status", pod.string("status", "phase"));
        page.fact("Reason", pod.string("status", "reason"));
        page.fact("Message", pod.string("status", "message"));
        page.fact("Address", pod.string("status", "podIP"));
        page.fact("Started", page.moment(pod.string("status", "startTime")));
        containers(page, pod, "Init containers", "initContainers", "initContainerStatuses");
        containers(page, pod, "Containers", "containers", "containerStatuses");
        conditions(page, pod);
        volumes(page, pod);
    }

    private static void containers(Page page, Json.Obj pod, String title, String specs, String statuses) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NAME", "IMAGE", "STATE", "READY", "RESTARTS", "TIME"));
        for (var container : pod.objects("spec", specs)) {
            var status = pod.objects("status", statuses).stream()
                    .filter(each -> each.string("name").equals(container.string("name")))
                    .findFirst()
                    .orElse(Json.Obj.EMPTY);
            rows.add(List.of(
                    container.string("name"),
                    container.string("image") + mark(status),
                    state(status.object("state")),
                    status.flag("ready") ? "yes" : "no",
                    String.valueOf(status.integer("restartCount")),
                    time(page, status.object("state"))));
        }
        if (rows.size() > 1) {
            page.section(title).table(rows);
        }
    }

    /// Of what runs on this machine's own programs, in the name of its image.
    static String mark(Json.Obj status) {
        return StandIn.isIn(status) ? " (stand-in)" : "";
    }

    static String state(Json.Obj state) {
        if (state.has("running")) {
            return "Running";
        }
        if (state.has("terminated")) {
            long code = state.integer("terminated", "exitCode");
            var reason = state.string("terminated", "reason");
            return code == 0 ? reason : reason + " (exit code " + code + ")";
        }
        var reason = state.string("waiting", "reason");
        return reason.isEmpty() ? "Waiting" : "Waiting: " + reason;
    }

    static String time(Page page, Json.Obj state) {
        return state.has("terminated")
                ? page.between(state.string("terminated", "startedAt"), state.string("terminated", "finishedAt"))
                : page.between(state.string("running", "startedAt"), "");
    }

    static void conditions(Page page, Json.Obj object) {
        var conditions = object.objects("status", "conditions");
        if (conditions.isEmpty()) {
            return;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("TYPE", "STATUS", "REASON", "MESSAGE"));
        for (var condition : conditions) {
            rows.add(Stream.of("type", "status", "reason", "message")
                    .map(condition::string)
                    .toList());
        }
        page.section("Conditions").table(rows);
    }

    private static void volumes(Page page, Json.Obj pod) {
        if (pod.objects("spec", "volumes").isEmpty()) {
            return;
        }
        page.section("Volumes");
        for (var volume : pod.objects("spec", "volumes")) {
            var kind = volume.keys().stream().filter(key -> !key.equals("name")).collect(Collectors.joining(", "));
            var source = volume.object(kind);
            var what = Stream.of("secretName", "claimName", "name", "path")
                    .map(source::string)
                    .filter(value -> !value.isEmpty())
                    .findFirst();
            page.fact(
                    volume.string("name"), kind + what.map(value -> " " + value).orElse(""));
        }
    }
}
