package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.Placement;
import dev.towtank.model.kinds.ResourceLists;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/// Nodes: the machines that pods run on.
public final class Nodes {

    private static final String ROLE_PREFIX = "node-role.kubernetes.io/";

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped("", "v1", "Node", "nodes")
            .withShortNames("no")
            .withStatus()
            .withRules(new NodeRules())
            .withColumns(
                    Column.ofName(),
                    Column.text("Status", (node, _) -> Json.of(status(node))),
                    Column.text("Roles", (node, _) -> Json.of(roles(node))),
                    Column.ofAge(),
                    Column.path("Version", "status", "nodeInfo", "kubeletVersion"),
                    Column.text("Internal-IP", (node, _) -> Json.of(address(node, "InternalIP")))
                            .wide(),
                    Column.text("External-IP", (node, _) -> Json.of(address(node, "ExternalIP")))
                            .wide(),
                    Column.text("OS-Image", (node, _) -> Json.of(info(node, "osImage")))
                            .wide(),
                    Column.text("Kernel-Version", (node, _) -> Json.of(kernel(node)))
                            .wide(),
                    Column.text("Container-Runtime", (node, _) -> Json.of(info(node, "containerRuntimeVersion")))
                            .wide());

    private Nodes() {}

    private static final class NodeRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.inside(object, "status", status -> {
                var filled = Fill.inside(status, "capacity", ResourceLists::canonical);
                filled = Fill.inside(filled, "allocatable", ResourceLists::canonical);
                var capacity = filled.get("capacity");
                return capacity == null ? filled : Fill.missing(filled, "allocatable", capacity);
            });
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var node = Field.root(object, errors);
            // Upstream reports taints as if they were metadata.
            Placement.validateTaints(node.at("spec", "taints").reportedAt(Path.of("metadata", "taints")));
            for (var list : new String[] {"capacity", "allocatable"}) {
                var amounts = node.at("status", list);
                amounts.eachEntry((name, amount) -> ResourceLists.validateAmount(
                        name, amount.reportedAt(amounts.path().child(name))));
            }
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var before = old.string("spec", "providerID");
            var after = object.string("spec", "providerID");
            if (!before.isEmpty() && !after.equals(before)) {
                errors.invalid(
                        Path.of("spec", "providerID"),
                        Json.Null.NULL,
                        after.isEmpty() ? "field cannot be cleared once set" : "field cannot be modified once set");
            }
            var ranges = old.array("spec", "podCIDRs");
            if (ranges.size() > 0 && !ranges.equals(object.array("spec", "podCIDRs"))) {
                errors.forbidden(
                        Path.of("spec", "podCIDRs"), "node updates may not change podCIDR except from \"\" to valid");
            }
        }

        @Override
        public Map<String, Function<Json.Obj, String>> selectableFields() {
            return Map.of("spec.unschedulable", node -> Boolean.toString(node.flag("spec", "unschedulable")));
        }

        @Override
        public boolean keepsStatusOnCreate() {
            return true;
        }
    }

    private static String status(Json.Obj node) {
        var text = "Unknown";
        for (var condition : node.objects("status", "conditions")) {
            if (condition.string("type").equals("Ready")) {
                text = condition.string("status").equals("True") ? "Ready" : "NotReady";
            }
        }
        return node.flag("spec", "unschedulable") ? text + ",SchedulingDisabled" : text;
    }

    private static String roles(Json.Obj node) {
        var roles = new TreeSet<String>();
        node.stringMap("metadata", "labels").forEach((key, value) -> {
            if (key.startsWith(ROLE_PREFIX) && key.length() > ROLE_PREFIX.length()) {
                roles.add(key.substring(ROLE_PREFIX.length()));
            } else if (key.equals("kubernetes.io/role") && !value.isEmpty()) {
                roles.add(value);
            }
        });
        return roles.isEmpty() ? "<none>" : String.join(",", roles);
    }

    private static String address(Json.Obj node, String type) {
        return node.objects("status", "addresses").stream()
                .filter(address -> address.string("type").equals(type))
                .map(address -> address.string("address"))
                .findFirst()
                .orElse("<none>");
    }

    private static String info(Json.Obj node, String field) {
        var text = node.string("status", "nodeInfo", field);
        return text.isEmpty() ? "<unknown>" : text;
    }

    private static String kernel(Json.Obj node) {
        var architecture = node.string("status", "nodeInfo", "architecture");
        var version = info(node, "kernelVersion");
        return architecture.isEmpty() ? version : version + " (" + architecture + ")";
    }
}
