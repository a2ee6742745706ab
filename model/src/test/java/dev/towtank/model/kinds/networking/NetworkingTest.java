package dev.towtank.model.kinds.networking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.kinds.KindTrial;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkingTest {

    private static final KindTrial INGRESS = new KindTrial(Ingresses.KIND);
    private static final KindTrial INGRESS_CLASS = new KindTrial(IngressClasses.KIND);
    private static final KindTrial POLICY = new KindTrial(NetworkPolicies.KIND);

    private static final String NOW = "2026-01-01T00:01:00Z";

    private static final String WEB = """
            metadata: {name: web, namespace: default, creationTimestamp: 2026-01-01T00:00:00Z}
            spec:
              ingressClassName: nginx
              rules:
              - host: a.example
                http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
            """;

    @Test
    void acceptsAnOrdinaryIngress() {
        assertThat(INGRESS.errors(WEB)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {} | spec: Invalid value: null: either `defaultBackend` or `rules` must be specified
            {defaultBackend: {}} | spec.defaultBackend: Invalid value: "": resource or service backend is required
            {defaultBackend: {service: {name: web}}} | spec.defaultBackend: Required value: port name or number is required
            {defaultBackend: {service: {name: web, port: {name: a, number: 1}}}} | spec.defaultBackend: Invalid value: "": cannot set both port name & port number
            {defaultBackend: {service: {port: {number: 80}}}} | spec.defaultBackend.service.name: Required value
            {defaultBackend: {service: {name: web, port: {number: 70000}}}} | spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive
            {defaultBackend: {resource: {kind: Bucket, name: b}, service: {name: web}}} | spec.defaultBackend: Invalid value: "": cannot set both resource and service backends
            {rules: [{host: 1.2.3.4}]} | spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address
            {rules: [{http: {}}]} | spec.rules[0].http.paths: Required value
            {rules: [{http: {paths: [{path: /}]}}]} | spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified
            {rules: [{http: {paths: [{path: x, pathType: Exact, backend: {service: {name: web, port: {number: 1}}}}]}}]} | spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path
            {rules: [{http: {paths: [{path: /a//b, pathType: Prefix, backend: {service: {name: web, port: {number: 1}}}}]}}]} | spec.rules[0].http.paths[0].path: Invalid value: "/a//b": must not contain '//'
            {rules: [{http: {paths: [{path: /a/.., pathType: Prefix, backend: {service: {name: web, port: {number: 1}}}}]}}]} | spec.rules[0].http.paths[0].path: Invalid value: "/a/..": cannot end with '/..'
            {rules: [{http: {paths: [{path: /, pathType: Odd, backend: {service: {name: web, port: {number: 1}}}}]}}]} | spec.rules[0].http.paths[0].pathType: Unsupported value: "Odd": supported values: "Exact", "ImplementationSpecific", "Prefix"
            """)
    void refusesAnIngressThatLeadsNowhere(String spec, String message) {
        assertThat(INGRESS.errors("{metadata: {name: a}, spec: " + spec + "}")).containsExactly(message);
    }

    @Test
    void checksHostsOfIngresses() {
        assertThat(INGRESS.errors(WEB.replace("a.example", "\"*.example.com\"")))
                .isEmpty();
        assertThat(INGRESS.errors(WEB.replace("a.example", "\"*a.example\"")))
                .singleElement()
                .asString()
                .startsWith(
                        "spec.rules[0].host: Invalid value: \"*a.example\": a wildcard DNS-1123 subdomain must start");
        assertThat(INGRESS.errors(WEB + "  tls: [{hosts: [A], secretName: ok}]\n"))
                .singleElement()
                .asString()
                .startsWith("spec.tls[0].hosts[0]: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist");
    }

    @Test
    void annotationAndClassAgree() {
        var annotated = WEB.replace(
                "name: web, namespace", "annotations: {kubernetes.io/ingress.class: x}, name: web, namespace");

        assertThat(INGRESS.errors(annotated))
                .containsExactly("annotations.kubernetes.io/ingress.class: Invalid value: \"x\": must match"
                        + " `ingressClassName` when both are specified");
        assertThat(Ingresses.KIND
                        .rules()
                        .warnings(KindTrial.yaml(annotated.replace("  ingressClassName: nginx\n", ""))))
                .containsExactly("annotation \"kubernetes.io/ingress.class\" is deprecated, please use"
                        + " 'spec.ingressClassName' instead");
    }

    @Test
    void showsHostsAndAddressesOfIngresses() {
        assertThat(INGRESS.headings()).containsExactly("Name", "Class", "Hosts", "Address", "Ports", "Age");
        assertThat(INGRESS.row(WEB, NOW)).containsExactly("web", "nginx", "a.example", "", "80", "60s");
        assertThat(INGRESS.row("""
                        spec: {tls: [{}], rules: [{host: a}, {host: b}, {host: c}, {host: d}]}
                        status: {loadBalancer: {ingress: [{hostname: "long.name.example"}]}}
                        """, NOW))
                .containsExactly("", "<none>", "a,b,c + 1 more...", "long.name.exa...", "80, 443", "<unknown>");
    }

    @Test
    void ingressStatusHasRealAddresses() {
        assertThat(INGRESS.statusErrors("{}", "{status: {loadBalancer: {ingress: [{ip: x}, {hostname: 1.2.3.4}]}}}"))
                .containsExactly(
                        "status.loadBalancer.ingress[0].ip: Invalid value: \"x\": must be a valid IP address, (e.g."
                                + " 10.9.8.7 or 2001:db8::ffff)",
                        "status.loadBalancer.ingress[1].hostname: Invalid value: \"1.2.3.4\": must be a DNS name, not an"
                                + " IP address");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {} | spec.controller: Required value
            {controller: nginx} | spec.controller: Invalid value: "nginx": must be a domain-prefixed path (such as "acme.io/foo")
            {controller: acme.io/x, parameters: {kind: Config}} | spec.parameters.name: Required value
            {controller: acme.io/x, parameters: {kind: Config, name: a, scope: Odd}} | spec.parameters.scope: Unsupported value: "Odd": supported values: "Cluster", "Namespace"
            {controller: acme.io/x, parameters: {kind: Config, name: a, scope: Namespace}} | spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'
            {controller: acme.io/x, parameters: {kind: Config, name: a, namespace: b}} | spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'
            """)
    void refusesAnIngressClassWithoutController(String spec, String message) {
        assertThat(INGRESS_CLASS.errors("{metadata: {name: a}, spec: " + spec + "}"))
                .containsExactly(message);
    }

    @Test
    void ingressClassesKeepTheirControllerAndShowIt() {
        assertThat(INGRESS_CLASS.updateErrors("{spec: {controller: a.io/x}}", "{spec: {controller: a.io/y}}"))
                .containsExactly("spec.controller: Invalid value: \"a.io/y\": field is immutable");
        assertThat(INGRESS_CLASS.row("""
                        metadata:
                          name: nginx
                          annotations: {ingressclass.kubernetes.io/is-default-class: "true"}
                          creationTimestamp: 2026-01-01T00:00:00Z
                        spec: {controller: a.io/x, parameters: {apiGroup: a.io, kind: Config, name: c}}
                        """, NOW)).containsExactly("nginx (default)", "a.io/x", "Config.a.io/c", "60s");
    }

    @Test
    void policiesAreFilledIn() {
        assertThat(POLICY.stored("{spec: {podSelector: {}, egress: [{ports: [{port: 53}]}]}}")
                        .object("spec"))
                .isEqualTo(
                        KindTrial.yaml(
                                "{podSelector: {}, egress: [{ports: [{port: 53, protocol: TCP}]}], policyTypes: [Ingress, Egress]}"));
        assertThat(POLICY.stored("{spec: {podSelector: {}}}")
                        .array("spec", "policyTypes")
                        .strings())
                .containsExactly("Ingress");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            ingress: [{ports: [{port: 0}]}] | spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive
            ingress: [{ports: [{port: 80, endPort: 79}]}] | spec.ingress[0].ports[0].endPort: Invalid value: 79: must be greater than or equal to `port`
            ingress: [{ports: [{port: http, endPort: 79}]}] | spec.ingress[0].ports[0].endPort: Invalid value: 79: may not be specified when `port` is non-numeric
            ingress: [{ports: [{endPort: 79}]}] | spec.ingress[0].ports[0].endPort: Invalid value: 79: may not be specified when `port` is not specified
            ingress: [{ports: [{port: 80, protocol: ICMP}]}] | spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"
            ingress: [{from: [{}]}] | spec.ingress[0].from[0]: Required value: must specify a peer
            egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8}, podSelector: {}}]}] | spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer
            egress: [{to: [{ipBlock: {cidr: ten}}]}] | spec.egress[0].to[0].ipBlock.cidr: Invalid value: "ten": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)
            egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8, except: [11.0.0.0/16]}}]}] | spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`
            egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.0.0.0/8]}}]}] | spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`
            policyTypes: [Sideways] | spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"
            """)
    void refusesPoliciesThatSayNothing(String field, String message) {
        assertThat(POLICY.errors("{metadata: {name: a}, spec: {podSelector: {}, " + field + "}}"))
                .containsExactly(message);
    }

    @Test
    void acceptsAndShowsPolicies() {
        assertThat(POLICY.errors("{spec: {podSelector: {}, egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8,"
                        + " except: [10.1.0.0/16]}}]}]}}"))
                .isEmpty();
        assertThat(POLICY.row("{metadata: {name: a}, spec: {podSelector: {matchLabels: {b: c}}}}", NOW))
                .containsExactly("a", "b=c", "<unknown>");
        assertThat(POLICY.row("{metadata: {name: a}, spec: {podSelector: {}}}", NOW))
                .containsExactly("a", "<none>", "<unknown>");
    }
}
