package dev.towtank.model.kinds.core;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.PodDefaults;
import dev.towtank.model.kinds.PodResources;
import dev.towtank.model.kinds.PodSpecs;
import dev.towtank.model.kinds.PodTemplates;
import dev.towtank.model.kinds.PodWarnings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Pods: containers that run together on one node.
public final class Pods {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("", "v1", "Pod", "pods")
            .withShortNames("po")
            .withCategories("all")
            .withStatus()
            .withRules(new PodRules())
            .withColumns(PodColumns.columns());

    private Pods() {}

    /// The class a pod is in when the node runs short.
    private static Json.Obj withQosClass(Json.Obj pod) {
        return pod.with(List.of("status", "qosClass"), Json.of(PodResources.qosClass(pod.object("spec"))));
    }

    private static final class PodRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            var filled = Fill.inside(object, "spec", PodDefaults::podSpec);
            var status = Fill.missing(filled.object("status"), "phase", "Pending");
            status = mirrorIp(gated(status, filled.object("spec")));
            filled = filled.with("status", status);
            // Admission may still change the resources of a pod that nobody has started.
            var isNew = !status.has("startTime") && !status.has("containerStatuses");
            return isNew || !status.has("qosClass") ? withQosClass(filled) : filled;
        }

        private static Json.Obj mirrorIp(Json.Obj status) {
            var ip = status.string("podIP");
            var ips = status.objects("podIPs");
            if (ip.isEmpty() && !ips.isEmpty()) {
                return status.with("podIP", Json.of(ips.getFirst().string("ip")));
            }
            return !ip.isEmpty()
                            && (ips.isEmpty() || !ips.getFirst().string("ip").equals(ip))
                    ? status.with("podIPs", Json.Arr.of(Json.Obj.of("ip", Json.of(ip))))
                    : status;
        }

        // A new pod says at once that the scheduler will leave it alone.
        private static Json.Obj gated(Json.Obj status, Json.Obj spec) {
            if (spec.array("schedulingGates").size() == 0 || status.has("conditions")) {
                return status;
            }
            var condition = Json.Obj.builder()
                    .put("type", "PodScheduled")
                    .put("status", "False")
                    .put("reason", "SchedulingGated")
                    .put("message", "Scheduling is blocked due to non-empty scheduling gates")
                    .build();
            return status.with("conditions", Json.Arr.of(condition));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var pod = Field.root(object, errors);
            PodTemplates.validateDeletionCost(pod.at("metadata", "annotations"));
            PodSpecs.validate(pod.at("spec"));
        }

        @Override
        public void validateCreate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            if (spec.at("ephemeralContainers").size() > 0) {
                spec.at("ephemeralContainers").forbidden("cannot be set on create");
            }
            if (!spec.at("nodeName").isEmpty() && spec.at("schedulingGates").size() > 0) {
                spec.at("nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
            }
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            PodUpdates.validate(object, old, errors);
        }

        @Override
        public void validatePart(String subresource, Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            switch (subresource) {
                case "resize" -> PodResize.validate(object, old, errors);
                default -> PodUpdates.validateEphemeral(object, old, errors);
            }
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            PodUpdates.validateStatus(object, old, errors);
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            var warnings = new ArrayList<String>();
            var problems = Names.dnsLabel(object.string("metadata", "name"));
            if (!problems.isEmpty()) {
                warnings.add("metadata.name: this is used in the Pod's hostname, which can result in surprising"
                        + " behavior; a DNS label is recommended: [" + String.join(" ", problems) + "]");
            }
            warnings.addAll(PodWarnings.of(Path.ROOT, object));
            return warnings;
        }

        @Override
        public Map<String, Function<Json.Obj, String>> selectableFields() {
            var fields = new LinkedHashMap<String, Function<Json.Obj, String>>();
            for (var name : List.of("nodeName", "restartPolicy", "schedulerName", "serviceAccountName")) {
                fields.put("spec." + name, pod -> pod.string("spec", name));
            }
            fields.put("spec.hostNetwork", pod -> Boolean.toString(pod.flag("spec", "hostNetwork")));
            for (var name : List.of("phase", "podIP", "nominatedNodeName")) {
                fields.put("status." + name, pod -> pod.string("status", name));
            }
            return fields;
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }

        @Override
        public Set<String> metadataKeptByStatus() {
            return Set.of("ownerReferences");
        }

        @Override
        public long deletionGraceSeconds(Json.Obj pod) {
            var over = Set.of("Succeeded", "Failed").contains(pod.string("status", "phase"));
            if (over || pod.string("spec", "nodeName").isEmpty()) {
                return 0;
            }
            long seconds = pod.integer("spec", "terminationGracePeriodSeconds");
            return seconds < 0 ? 1 : seconds;
        }

        @Override
        public boolean returnsDeletedObject() {
            return true;
        }
    }
}
