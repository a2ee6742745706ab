package dev.towtank.model.kinds.core;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What may still change on a pod once it exists: images, deadlines, tolerations and little else.
final class PodUpdates {

    private static final Path SPEC = Path.of("spec");

    private static final String UPDATABLE = "pod updates may not change fields other than"
            + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
            + "`spec.tolerations` (only additions to existing tolerations),"
            + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

    private PodUpdates() {}

    static void validate(Json.Obj pod, Json.Obj old, FieldError.Collector errors) {
        var spec = new Field(pod.object("spec"), SPEC, errors);
        var oldSpec = old.object("spec");
        for (var list : List.of("containers", "initContainers")) {
            if (spec.at(list).size() != oldSpec.array(list).size()) {
                spec.at(list).forbidden("pod updates may not add or remove containers");
                return;
            }
        }
        if (!validateDeadline(spec.at("activeDeadlineSeconds"), oldSpec.get("activeDeadlineSeconds"))) {
            return;
        }
        validateTolerations(spec.at("tolerations"), oldSpec.objects("tolerations"));
        validateGates(spec.at("schedulingGates"), oldSpec);
        var leftover = firstDifference(restore(spec.object(), oldSpec), oldSpec);
        if (!leftover.isEmpty()) {
            errors.forbidden(SPEC, UPDATABLE + "\n" + leftover);
        }
    }

    /// Containers to look into a pod are added, and then stay as they are.
    static void validateEphemeral(Json.Obj pod, Json.Obj old, FieldError.Collector errors) {
        var containers = Field.root(pod, errors).at("spec", "ephemeralContainers");
        var now = pod.objects("spec", "ephemeralContainers");
        for (var before : old.objects("spec", "ephemeralContainers")) {
            var name = before.string("name");
            var same = now.stream()
                    .filter(each -> each.string("name").equals(name))
                    .findFirst();
            if (same.isEmpty()) {
                containers.forbidden("existing ephemeral containers \"" + name + "\" may not be removed\n");
            } else if (!Field.same(same.get(), before)) {
                containers.forbidden("existing ephemeral containers \"" + name + "\" may not be changed\n");
            }
        }
        containers.each(container -> container
                .at("targetContainerName")
                .forbiddenIfPresent(
                        "containers of a pod do not see each other's processes here, so none can be a target;"
                                + " leave it out (kubectl debug without --target)"));
    }

    static void validateStatus(Json.Obj pod, Json.Obj old, FieldError.Collector errors) {
        var status = Field.root(pod, errors).at("status");
        status.at("conditions").each(condition -> {
            if (!List.of("PodScheduled", "Ready", "Initialized")
                    .contains(condition.at("type").text())) {
                condition.at("type").reportedAt(condition.path().child("Type")).matches(Names::qualifiedName);
            }
        });
        if (!Field.same(pod.at("spec", "nodeName"), old.at("spec", "nodeName"))) {
            status.at("nodeName").forbidden("may not be changed directly");
        }
        status.at("qosClass").immutable(old.at("status", "qosClass"));
        validateStates(status.at("containerStatuses"), old, "containerStatuses", "containers");
        validateStates(status.at("initContainerStatuses"), old, "initContainerStatuses", "initContainers");
        var ips = status.at("podIPs");
        if (status.at("podIP").isEmpty() != ips.isEmpty()) {
            ips.invalid("podIP and podIPs must either both be set or both be unset");
        } else if (!ips.isEmpty()
                && !ips.items()
                        .getFirst()
                        .at("ip")
                        .text()
                        .equals(status.at("podIP").text())) {
            ips.items().getFirst().at("ip").invalid("must be equal to `podIP`");
        }
    }

    /// Whether it makes sense to look further.
    private static boolean validateDeadline(Field deadline, @Nullable Json old) {
        if (!deadline.isPresent()) {
            if (old instanceof Json.Int) {
                deadline.with(Json.Null.NULL).invalid("must not update from a positive integer to nil value");
            }
            return true;
        }
        if (deadline.number() < 0 || deadline.number() > Integer.MAX_VALUE) {
            deadline.inRange(0, Integer.MAX_VALUE);
            return false;
        }
        if (old instanceof Json.Int(var before) && before < deadline.number()) {
            deadline.invalid("must be less than or equal to previous value");
            return false;
        }
        return true;
    }

    private static void validateTolerations(Field tolerations, List<Json.Obj> old) {
        var now = tolerations.items().stream()
                .map(toleration -> toleration.object().without("tolerationSeconds"))
                .toList();
        if (!old.stream()
                .map(toleration -> toleration.without("tolerationSeconds"))
                .allMatch(now::contains)) {
            tolerations.forbidden("existing toleration can not be modified except its tolerationSeconds");
        }
    }

    private static void validateGates(Field gates, Json.Obj oldSpec) {
        var before = oldSpec.objects("schedulingGates").stream()
                .map(gate -> gate.string("name"))
                .toList();
        gates.each(gate -> {
            var name = gate.at("name");
            if (!before.contains(name.text())) {
                name.forbidden("only deletion is allowed, but found new scheduling gate '" + name.text() + "'");
            }
        });
    }

    // The new spec with all that may change set back: what differs now may not.
    private static Json.Obj restore(Json.Obj spec, Json.Obj old) {
        var restored = spec;
        for (var field : List.of("activeDeadlineSeconds", "tolerations", "schedulingGates")) {
            restored = restored.withOrWithout(field, old.get(field));
        }
        if (old.integer("terminationGracePeriodSeconds") < 0 && spec.integer("terminationGracePeriodSeconds") == 1) {
            restored = restored.with(
                    "terminationGracePeriodSeconds", Json.of(old.integer("terminationGracePeriodSeconds")));
        }
        if (old.array("schedulingGates").size() > 0) {
            restored = restored.withOrWithout("nodeSelector", old.get("nodeSelector"))
                    .withOrWithout("affinity", old.get("affinity"));
        }
        for (var list : List.of("containers", "initContainers")) {
            var images = old.objects(list).iterator();
            restored = Fill.each(
                    restored,
                    list,
                    container -> container.with(
                            "image", Json.of(images.hasNext() ? images.next().string("image") : "")));
        }
        return restored;
    }

    // Upstream prints a diff of its Go structs here; the first field that differs tells the user as much.
    private static String firstDifference(Json.Obj spec, Json.Obj old) {
        var keys = new TreeSet<>(old.keys());
        keys.addAll(spec.keys());
        for (var key : keys) {
            if (!Field.same(spec.get(key), old.get(key))) {
                return "spec." + key + " differs";
            }
        }
        return "";
    }

    private static void validateStates(Field statuses, Json.Obj old, String list, String containers) {
        var before = old.objects("status", list);
        for (int i = 0; i < before.size(); i++) {
            var ended = before.get(i);
            if (!(ended.at("state", "terminated") instanceof Json.Obj terminated)
                    || mayRestart(old.object("spec"), containers, ended.string("name"), terminated)) {
                continue;
            }
            var path = statuses.path().index(i).child("state");
            statuses.each(status -> {
                if (status.at("name").text().equals(ended.string("name"))
                        && !status.at("state").has("terminated")) {
                    statuses.errors().forbidden(path, "may not be transitioned to non-terminated state");
                }
            });
        }
    }

    private static boolean mayRestart(Json.Obj spec, String list, String name, Json.Obj terminated) {
        var own = spec.objects(list).stream()
                .filter(container -> container.string("name").equals(name))
                .map(container -> container.string("restartPolicy"))
                .findFirst()
                .orElse("");
        return switch (own.isEmpty() ? spec.string("restartPolicy") : own) {
            case "Always" -> true;
            case "OnFailure" -> terminated.integer("exitCode") != 0;
            default -> false;
        };
    }
}
