package dev.towtank.model.kinds.discovery;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.IpAddresses;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

public final class EndpointSlices {

    public static final Kind<Json.Obj> KIND = Kind.namespaced(
                    "discovery.k8s.io", "v1", "EndpointSlice", "endpointslices")
            .withRules(new EndpointSliceRules())
            .withColumns(
                    Column.ofName(),
                    Column.path("AddressType", "addressType"),
                    Column.text(
                            "Ports",
                            (object, _) -> Json.of(
                                    firstThree(object.objects("ports").stream().map(EndpointSlices::port)))),
                    Column.text(
                            "Endpoints",
                            (object, _) -> Json.of(firstThree(object.objects("endpoints").stream()
                                    .flatMap(endpoint -> endpoint.array("addresses").strings().stream())))),
                    Column.ofAge());

    private static final int SHOWN = 3;
    private static final int MAX_ADDRESSES = 100;
    private static final int MAX_PORTS = 20_000;
    private static final int MAX_ENDPOINTS = 1000;
    private static final int MAX_HINTS = 8;

    private EndpointSlices() {}

    private static String port(Json.Obj port) {
        return switch (port.get("port")) {
            case Json.Int(var number) -> Long.toString(number);
            case null, default -> port.get("name") instanceof Json.Str(var name) ? name : "*";
        };
    }

    private static String firstThree(Stream<String> values) {
        var all = values.toList();
        if (all.size() > SHOWN) {
            return String.join(",", all.subList(0, SHOWN)) + " + " + (all.size() - SHOWN) + " more...";
        }
        var shown = String.join(",", all);
        return shown.isEmpty() ? "<unset>" : shown;
    }

    private static final class EndpointSliceRules implements Rules {

        // Written by the first versions of this API only; users of this version cannot set it.
        @Override
        public Json.Obj prepareCreate(Json.Obj object) {
            return Fill.each(object, "endpoints", endpoint -> endpoint.without("deprecatedTopology"));
        }

        @Override
        public Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
            return Field.same(object.get("endpoints"), old.get("endpoints")) ? object : prepareCreate(object);
        }

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.each(object, "ports", port -> Fill.missing(Fill.missing(port, "name", ""), "protocol", "TCP"));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var root = Field.root(object, errors);
            root.at("addressType").requiredOneOf("FQDN", "IPv4", "IPv6");
            validatePorts(root.at("ports"));
            var endpoints = root.at("endpoints");
            if (endpoints.size() > MAX_ENDPOINTS) {
                errors.tooMany(endpoints.path(), endpoints.size(), MAX_ENDPOINTS);
            } else {
                var type = root.at("addressType").text();
                endpoints.each(endpoint -> validateEndpoint(endpoint, type));
            }
        }

        private static void validatePorts(Field ports) {
            if (ports.size() > MAX_PORTS) {
                ports.errors().tooMany(ports.path(), ports.size(), MAX_PORTS);
                return;
            }
            var names = new HashSet<String>();
            ports.each(port -> {
                port.at("name").matchesIfSet(Names::dnsLabel).unique(names);
                port.at("protocol").requiredOneOf("SCTP", "TCP", "UDP");
                if (port.has("appProtocol")) {
                    port.at("appProtocol").matches(Names::qualifiedName);
                }
            });
        }

        private static void validateEndpoint(Field endpoint, String type) {
            var addresses = endpoint.at("addresses").required("must contain at least 1 address");
            if (addresses.size() > MAX_ADDRESSES) {
                addresses.errors().tooMany(addresses.path(), addresses.size(), MAX_ADDRESSES);
            }
            addresses.each(address -> validateAddress(address, addresses, type));
            if (endpoint.has("nodeName")) {
                endpoint.at("nodeName").matches(Names::dnsSubdomain);
            }
            if (endpoint.has("hostname")) {
                endpoint.at("hostname").matches(Names::dnsLabel);
            }
            validateHints(endpoint.at("hints", "forZones"), Names::labelValue);
            validateHints(endpoint.at("hints", "forNodes"), Names::dnsSubdomain);
        }

        private static void validateAddress(Field address, Field all, String type) {
            switch (type) {
                case "IPv4" -> validateIp(address, all, type, IpAddresses::isIpv4);
                case "IPv6" -> validateIp(address, all, type, IpAddresses::isIpv6);
                case "FQDN" -> validateDomain(address);
                default -> {}
            }
        }

        private static void validateIp(Field address, Field all, String type, Predicate<String> isOfType) {
            if (!IpAddresses.problems(address.text()).isEmpty()) {
                address.matches(IpAddresses::problems);
                return;
            }
            if (!isOfType.test(address.text())) {
                all.with(address.shown()).invalid("must be an " + type + " address");
            }
            address.matches(IpAddresses::endpointProblems);
        }

        private static void validateDomain(Field address) {
            if (address.isEmpty()) {
                address.required("");
                return;
            }
            var name = address.text().endsWith(".")
                    ? address.text().substring(0, address.text().length() - 1)
                    : address.text();
            var problems = Names.dnsSubdomain(name);
            if (!problems.isEmpty()) {
                address.with(Json.of(name)).invalid(String.join(",", problems));
            } else if (!name.contains(".")) {
                address.with(Json.of(name)).invalid("should be a domain with at least two segments separated by dots");
            }
        }

        private static void validateHints(Field hints, Function<String, List<String>> rule) {
            if (hints.size() > MAX_HINTS) {
                hints.errors().tooMany(hints.path(), hints.size(), MAX_HINTS);
                return;
            }
            var seen = new HashSet<String>();
            hints.each(hint -> hint.at("name").unique(seen).matches(rule));
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            Field.root(object, errors).at("addressType").immutable(old.get("addressType"));
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            return object.string("addressType").equals("FQDN")
                    ? List.of("spec.addressType: FQDN endpoints are deprecated")
                    : List.of();
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }

        @Override
        public boolean countsLabels() {
            return true;
        }
    }
}
