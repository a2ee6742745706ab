package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/// Services: one name and address for a set of pods.
///
/// Addresses and node ports come from pools, which is state: whoever holds the pools puts the values in with
/// [#withClusterIp] and [#withNodePort].
public final class Services {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("", "v1", "Service", "services")
            .withShortNames("svc")
            .withCategories("all")
            .withStatus()
            .withRules(new ServiceRules())
            .withColumns(
                    Column.ofName(),
                    Column.path("Type", "spec", "type"),
                    Column.text("Cluster-IP", (service, _) -> Json.of(clusterIp(service))),
                    Column.text("External-IP", (service, _) -> Json.of(externalIp(service))),
                    Column.text("Port(s)", (service, _) -> Json.of(ports(service))),
                    Column.ofAge(),
                    Column.text("Selector", (service, _) -> Json.of(selector(service)))
                            .wide());

    private Services() {}

    /// Whether the service wants a cluster address that it does not have yet.
    public static boolean needsClusterIp(Json.Obj service) {
        return ServiceDefaults.usesClusterIp(service.object("spec"))
                && service.string("spec", "clusterIP").isEmpty();
    }

    public static Json.Obj withClusterIp(Json.Obj service, String ip) {
        return service.with(List.of("spec", "clusterIP"), Json.of(ip))
                .with(List.of("spec", "clusterIPs"), Json.Arr.of(Json.of(ip)));
    }

    /// Whether the port at an index wants a node port that it does not have yet.
    public static boolean needsNodePort(Json.Obj service, int index) {
        return ServiceDefaults.usesNodePorts(service.object("spec"))
                && service.objects("spec", "ports").get(index).integer("nodePort") == 0;
    }

    public static Json.Obj withNodePort(Json.Obj service, int index, long nodePort) {
        var ports = new ArrayList<Json>(service.array("spec", "ports").items());
        ports.set(index, service.objects("spec", "ports").get(index).with("nodePort", Json.of(nodePort)));
        return service.with(List.of("spec", "ports"), new Json.Arr(ports));
    }

    /// No address of its own: names resolve to the pods.
    public static boolean isHeadless(Json.Obj service) {
        return service.string("spec", "clusterIP").equals("None");
    }

    private static final class ServiceRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            var status = object.object("status");
            return object.with("spec", ServiceDefaults.spec(object.object("spec")))
                    .with("status", status.has("loadBalancer") ? status : status.with("loadBalancer", Json.Obj.EMPTY));
        }

        @Override
        public Json.Obj asCreated(Json.Obj object, Json.Obj given) {
            var spec = object.object("spec");
            for (var field : List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
                spec = spec.withOrWithout(field, given.at("spec", field));
            }
            return object.with("spec", spec);
        }

        @Override
        public Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
            var spec = ServiceDefaults.carryOver(object.object("spec"), old.object("spec"));
            var kept = object.with("spec", spec);
            return spec.string("type").equals("LoadBalancer") ? kept : kept.without(List.of("status", "loadBalancer"));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            ServiceValidation.validate(Field.root(object, errors).at("spec"));
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            ServiceValidation.validateUpdate(Field.root(object, errors).at("spec"), old.object("spec"));
        }

        @Override
        public Names.Rule nameRule() {
            return Names.Rule.DNS_1035_LABEL;
        }

        @Override
        public boolean allowsCreateOnUpdate() {
            return true;
        }

        @Override
        public boolean returnsDeletedObject() {
            return true;
        }

        @Override
        public Map<String, Function<Json.Obj, String>> selectableFields() {
            return Map.of(
                    "spec.clusterIP", service -> service.string("spec", "clusterIP"),
                    "spec.type", service -> service.string("spec", "type"));
        }
    }

    private static String clusterIp(Json.Obj service) {
        var ips = service.array("spec", "clusterIPs").strings();
        return ips.isEmpty() ? "<none>" : ips.getFirst();
    }

    private static String externalIp(Json.Obj service) {
        var given = service.array("spec", "externalIPs").strings();
        return switch (service.string("spec", "type")) {
            case "ClusterIP", "NodePort" -> given.isEmpty() ? "<none>" : String.join(",", given);
            case "LoadBalancer" -> {
                var balancers = new TreeSet<String>();
                for (var ingress : service.objects("status", "loadBalancer", "ingress")) {
                    var ip = ingress.string("ip");
                    balancers.add(ip.isEmpty() ? ingress.string("hostname") : ip);
                }
                balancers.remove("");
                var all = new ArrayList<>(balancers);
                all.addAll(given);
                yield all.isEmpty() ? "<pending>" : String.join(",", all);
            }
            case "ExternalName" -> service.string("spec", "externalName");
            default -> "<unknown>";
        };
    }

    private static String ports(Json.Obj service) {
        var ports = service.objects("spec", "ports").stream()
                .map(port -> port.integer("port")
                        + (port.integer("nodePort") > 0 ? ":" + port.integer("nodePort") : "") + "/"
                        + port.string("protocol"))
                .toList();
        return ports.isEmpty() ? "<none>" : String.join(",", ports);
    }

    private static String selector(Json.Obj service) {
        var labels = service.stringMap("spec", "selector").entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .sorted()
                .toList();
        return labels.isEmpty() ? "<none>" : String.join(",", labels);
    }
}
