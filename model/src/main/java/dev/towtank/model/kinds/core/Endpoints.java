package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.IpAddresses;
import java.util.ArrayList;
import java.util.List;

/// Endpoints: the addresses behind a Service.
public final class Endpoints {

    private static final int SHOWN = 3;

    public static final Kind<Json.Obj> KIND = Kind.namespaced("", "v1", "Endpoints", "endpoints")
            .withShortNames("ep")
            .withRules(new EndpointsRules())
            .withColumns(
                    Column.ofName(),
                    Column.text("Endpoints", (object, _) -> Json.of(addresses(object))),
                    Column.ofAge());

    private Endpoints() {}

    private static final class EndpointsRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.each(
                    object,
                    "subsets",
                    subset -> Fill.each(subset, "ports", port -> Fill.missing(port, "protocol", "TCP")));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            Field.root(object, errors).at("subsets").each(Endpoints::validateSubset);
        }

        @Override
        public boolean allowsCreateOnUpdate() {
            return true;
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            return deprecation(KIND);
        }

        @Override
        public List<String> deprecation(Kind<?> kind) {
            return List.of("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
        }
    }

    private static void validateSubset(Field subset) {
        if (subset.at("addresses").isEmpty() && subset.at("notReadyAddresses").isEmpty()) {
            subset.errors().required(subset.path(), "must specify `addresses` or `notReadyAddresses`");
        }
        subset.at("addresses").each(Endpoints::validateAddress);
        subset.at("notReadyAddresses").each(Endpoints::validateAddress);
        var ports = subset.at("ports");
        ports.each(port -> validatePort(port, ports.size() > 1));
    }

    private static void validateAddress(Field address) {
        address.at("ip").matches(IpAddresses::problems);
        address.at("hostname").matchesIfSet(Names::dnsLabel);
        if (address.has("nodeName")) {
            address.at("nodeName").matches(Names::dnsSubdomain);
        }
        address.at("ip").matches(IpAddresses::endpointProblems);
    }

    private static void validatePort(Field port, boolean nameRequired) {
        var name = port.at("name").matchesIfSet(Names::dnsLabel);
        if (nameRequired) {
            name.required("");
        }
        port.at("port").port();
        port.at("protocol").requiredOneOf("SCTP", "TCP", "UDP");
        if (port.has("appProtocol")) {
            port.at("appProtocol").matches(Names::qualifiedName);
        }
    }

    private static String addresses(Json.Obj endpoints) {
        var subsets = endpoints.objects("subsets");
        if (subsets.isEmpty()) {
            return "<none>";
        }
        var all = new ArrayList<String>();
        for (var subset : subsets) {
            var ips = subset.objects("addresses").stream()
                    .map(address -> address.string("ip"))
                    .toList();
            if (subset.objects("ports").isEmpty()) {
                all.addAll(ips);
            }
            for (var port : subset.objects("ports")) {
                ips.forEach(ip -> all.add((ip.contains(":") ? "[" + ip + "]" : ip) + ":" + port.integer("port")));
            }
        }
        var shown = String.join(",", all.subList(0, Math.min(SHOWN, all.size())));
        return all.size() > SHOWN ? shown + " + " + (all.size() - SHOWN) + " more..." : shown;
    }
}
