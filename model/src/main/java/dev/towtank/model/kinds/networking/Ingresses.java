package dev.towtank.model.kinds.networking;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.IpAddresses;
import java.util.List;
import java.util.TreeSet;

public final class Ingresses {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("networking.k8s.io", "v1", "Ingress", "ingresses")
            .withShortNames("ing")
            .withStatus()
            .withRules(new IngressRules())
            .withColumns(
                    Column.ofName(),
                    Column.text("Class", (object, _) -> Json.of(className(object)))
                            .describedAs("The name of the IngressClass resource that should be used for additional"
                                    + " configuration"),
                    Column.text("Hosts", (object, _) -> Json.of(hosts(object)))
                            .describedAs("Hosts that incoming requests are matched against before the ingress rule"),
                    Column.text("Address", (object, _) -> Json.of(address(object)))
                            .describedAs("Address is a list containing ingress points for the load-balancer"),
                    Column.text(
                                    "Ports",
                                    (object, _) ->
                                            Json.of(object.array("spec", "tls").size() > 0 ? "80, 443" : "80"))
                            .describedAs("Ports of TLS configurations that open"),
                    Column.ofAge());

    private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";
    private static final int SHOWN_HOSTS = 3;
    private static final int ADDRESS_WIDTH = 16;

    private Ingresses() {}

    private static String className(Json.Obj object) {
        return object.at("spec", "ingressClassName") instanceof Json.Str(var name) ? name : "<none>";
    }

    private static String hosts(Json.Obj object) {
        var rules = object.objects("spec", "rules");
        var hosts = rules.stream()
                .map(rule -> rule.string("host"))
                .filter(host -> !host.isEmpty())
                .limit(SHOWN_HOSTS)
                .toList();
        if (hosts.isEmpty()) {
            return "*";
        }
        var shown = String.join(",", hosts);
        return hosts.size() == SHOWN_HOSTS && rules.size() > SHOWN_HOSTS
                ? shown + " + " + (rules.size() - SHOWN_HOSTS) + " more..."
                : shown;
    }

    private static String address(Json.Obj object) {
        var addresses = new TreeSet<String>();
        for (var point : object.objects("status", "loadBalancer", "ingress")) {
            addresses.add(point.string("ip").isEmpty() ? point.string("hostname") : point.string("ip"));
        }
        addresses.remove("");
        var shown = String.join(",", addresses);
        return shown.length() > ADDRESS_WIDTH ? shown.substring(0, ADDRESS_WIDTH - 3) + "..." : shown;
    }

    private static final class IngressRules implements Rules {

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            var rules = spec.at("rules");
            var backend = spec.at("defaultBackend");
            if (rules.isEmpty() && !backend.isPresent()) {
                spec.with(rules.isPresent() ? Json.Arr.EMPTY : Json.Null.NULL)
                        .invalid("either `defaultBackend` or `rules` must be specified");
            }
            if (backend.isPresent()) {
                IngressBackends.validate(backend);
            }
            rules.each(IngressRules::validateRule);
            spec.at("tls").each(IngressRules::validateTls);
            if (spec.has("ingressClassName")) {
                spec.at("ingressClassName").matches(Names::dnsSubdomain);
            }
        }

        @Override
        public void validateCreate(Json.Obj object, FieldError.Collector errors) {
            var annotation = object.at("metadata", "annotations", CLASS_ANNOTATION);
            var name = object.at("spec", "ingressClassName");
            if (annotation instanceof Json.Str && name instanceof Json.Str && !annotation.equals(name)) {
                errors.invalid(
                        Path.of("annotations", CLASS_ANNOTATION),
                        annotation,
                        "must match `ingressClassName` when both are specified");
            }
        }

        private static void validateRule(Field rule) {
            var host = rule.at("host");
            if (!host.isEmpty()) {
                if (isAddress(host.text())) {
                    host.invalid("must be a DNS name, not an IP address");
                }
                validateHost(host);
            }
            var http = rule.at("http");
            if (http.isPresent()) {
                http.at("paths").required("").each(IngressBackends::validatePath);
            }
        }

        private static boolean isAddress(String host) {
            return IpAddresses.isIpv4(host) || IpAddresses.isIpv6(host);
        }

        private static void validateHost(Field host) {
            host.matches(host.text().contains("*") ? IngressBackends::wildcardSubdomain : Names::dnsSubdomain);
        }

        private static void validateTls(Field tls) {
            tls.at("hosts").each(IngressRules::validateHost);
            tls.at("secretName").matchesIfSet(Names::dnsSubdomain);
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            Field.root(object, errors).at("status", "loadBalancer", "ingress").each(point -> {
                point.at("ip").matchesIfSet(IpAddresses::problems);
                var hostname = point.at("hostname").matchesIfSet(Names::dnsSubdomain);
                if (isAddress(hostname.text())) {
                    hostname.invalid("must be a DNS name, not an IP address");
                }
            });
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            return object.at("metadata", "annotations", CLASS_ANNOTATION) != null
                            && object.at("spec", "ingressClassName") == null
                    ? List.of("annotation \"" + CLASS_ANNOTATION
                            + "\" is deprecated, please use 'spec.ingressClassName' instead")
                    : List.of();
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }
    }
}
