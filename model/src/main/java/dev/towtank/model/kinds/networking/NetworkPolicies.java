package dev.towtank.model.kinds.networking;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Cidr;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.LabelSelectors;
import dev.towtank.model.kinds.WorkloadColumns;
import java.util.List;
import java.util.stream.Stream;

public final class NetworkPolicies {

    public static final Kind<Json.Obj> KIND = Kind.namespaced(
                    "networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies")
            .withShortNames("netpol")
            .withRules(new NetworkPolicyRules())
            .withColumns(
                    Column.ofName(),
                    Column.text(
                            "Pod-Selector",
                            (object, _) -> Json.of(WorkloadColumns.selectorText(object, "spec", "podSelector"))),
                    Column.ofAge());

    private NetworkPolicies() {}

    private static final class NetworkPolicyRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.inside(object, "spec", spec -> {
                var filled = spec;
                if (spec.array("policyTypes").size() == 0) {
                    var types = spec.array("egress").size() == 0 ? List.of("Ingress") : List.of("Ingress", "Egress");
                    filled = filled.with("policyTypes", Json.Arr.ofStrings(types));
                }
                filled = Fill.each(filled, "ingress", NetworkPolicyRules::portDefaults);
                return Fill.each(filled, "egress", NetworkPolicyRules::portDefaults);
            });
        }

        private static Json.Obj portDefaults(Json.Obj rule) {
            return Fill.each(rule, "ports", port -> Fill.missing(port, "protocol", "TCP"));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            LabelSelectors.validate(spec.at("podSelector"));
            spec.at("ingress").each(rule -> {
                rule.at("ports").each(NetworkPolicyRules::validatePort);
                rule.at("from").each(NetworkPolicyRules::validatePeer);
            });
            spec.at("egress").each(rule -> {
                rule.at("ports").each(NetworkPolicyRules::validatePort);
                rule.at("to").each(NetworkPolicyRules::validatePeer);
            });
            var types = spec.at("policyTypes");
            if (types.size() > 2) {
                types.invalid("may not specify more than two policyTypes");
            } else {
                types.each(type -> type.oneOf("Ingress", "Egress"));
            }
        }

        private static void validatePort(Field entry) {
            entry.at("protocol").oneOfIfPresent("TCP", "UDP", "SCTP");
            var port = entry.at("port");
            var end = entry.at("endPort");
            if (port.value() instanceof Json.Str) {
                if (end.isPresent()) {
                    end.invalid("may not be specified when `port` is non-numeric");
                }
                port.matches(Names::portName);
            } else if (port.isPresent()) {
                port.port();
                if (end.isPresent()) {
                    if (end.number() < port.number()) {
                        end.invalid("must be greater than or equal to `port`");
                    }
                    end.port();
                }
            } else if (end.isPresent()) {
                end.invalid("may not be specified when `port` is not specified");
            }
        }

        private static void validatePeer(Field peer) {
            long peers = Stream.of("podSelector", "namespaceSelector", "ipBlock")
                    .filter(peer::has)
                    .count();
            LabelSelectors.validate(peer.at("podSelector"));
            LabelSelectors.validate(peer.at("namespaceSelector"));
            if (peer.has("ipBlock")) {
                validateBlock(peer.at("ipBlock"));
            }
            if (peers == 0) {
                peer.errors().required(peer.path(), "must specify a peer");
            } else if (peers > 1 && peer.has("ipBlock")) {
                peer.forbidden("may not specify both ipBlock and another peer");
            }
        }

        private static void validateBlock(Field block) {
            var range = block.at("cidr").required("");
            if (range.isEmpty()) {
                return;
            }
            Cidr.validate(range);
            Cidr.parse(range.text())
                    .ifPresent(outer -> block.at("except").each(except -> {
                        Cidr.validate(except);
                        var inner = Cidr.parse(except.text());
                        if (inner.isPresent() && !outer.strictlyContains(inner.get())) {
                            except.invalid("must be a strict subset of `cidr`");
                        }
                    }));
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }
    }
}
