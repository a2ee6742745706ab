package dev.towtank.node.network.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PoliciesTest {

    private static final List<Resource> PODS = Stream.of(
                    "{metadata: {name: web, namespace: a, uid: '1', labels: {app: web}},"
                            + " spec: {containers: [{ports: [{name: http, containerPort: 8080}]}]}, status: {podIP: 10.244.0.2}}",
                    "{metadata: {name: friend, namespace: a, uid: '2', labels: {role: friend}}, status: {podIP: 10.244.0.3}}",
                    "{metadata: {name: stranger, namespace: a, uid: '3'}, status: {podIP: 10.244.0.4}}",
                    "{metadata: {name: neighbour, namespace: b, uid: '4', labels: {role: friend}}, status: {podIP: 10.244.0.5}}")
            .map(PoliciesTest::object)
            .toList();

    private static final List<Resource> NAMESPACES =
            List.of(object("{metadata: {name: a}}"), object("{metadata: {name: b, labels: {team: b}}}"));

    private static Resource object(String yaml) {
        return new Resource(LogicalCluster.DEFAULT, (Json.Obj) YamlText.parse(yaml));
    }

    private static Policies policies(String... specs) {
        var all = Stream.of(specs)
                .map(spec -> object("{metadata: {name: p, namespace: a, uid: p}, spec: " + spec + "}"))
                .toList();
        return new Policies(all, PODS, NAMESPACES);
    }

    /// Who of friend, stranger and neighbour reaches web on the port.
    private static String reach(Policies policies, int port) {
        return Stream.of("10.244.0.3", "10.244.0.4", "10.244.0.5")
                .map(from -> policies.allow(from, "10.244.0.2", "tcp", port) ? "1" : "0")
                .reduce("", String::concat);
    }

    @Test
    void withoutAPolicyEverybodyReachesEverybody() {
        assertThat(reach(policies(), 1)).isEqualTo("111");
        assertThat(policies().isolation(PODS.getFirst()).isNone()).isTrue();
    }

    @Test
    void whoIsChosenIsReachedByThoseWhoAreNamedAlone() {
        assertThat(reach(policies("{podSelector: {}, policyTypes: [Ingress]}"), 8080))
                .isEqualTo("000");
        assertThat(reach(policies("{podSelector: {matchLabels: {app: other}}, policyTypes: [Ingress]}"), 8080))
                .isEqualTo("111");
        assertThat(reach(
                        policies("{podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress],"
                                + " ingress: [{from: [{podSelector: {matchLabels: {role: friend}}}]}]}"),
                        8080))
                .isEqualTo("100");
        assertThat(reach(
                        policies("{podSelector: {}, policyTypes: [Ingress], ingress: [{from: [{namespaceSelector:"
                                + " {matchLabels: {team: b}}, podSelector: {matchLabels: {role: friend}}}]}]}"),
                        8080))
                .isEqualTo("001");
        assertThat(reach(policies("{podSelector: {}, policyTypes: [Ingress], ingress: [{}]}"), 8080))
                .isEqualTo("111");
        assertThat(reach(
                        policies("{podSelector: {}, policyTypes: [Ingress], ingress: [{from: [{ipBlock:"
                                + " {cidr: 10.244.0.0/29, except: [10.244.0.4/31]}}]}]}"),
                        8080))
                .isEqualTo("100");
    }

    @Test
    void portsAreMeantByNumberRangeAndName() {
        var named = policies(
                "{podSelector: {}, policyTypes: [Ingress], ingress: [{ports: [{port: http, protocol: TCP}]}]}");
        assertThat(reach(named, 8080)).isEqualTo("111");
        assertThat(reach(named, 8081)).isEqualTo("000");
        var range =
                policies("{podSelector: {}, policyTypes: [Ingress], ingress: [{ports: [{port: 80, endPort: 90}]}]}");
        assertThat(reach(range, 90)).isEqualTo("111");
        assertThat(reach(range, 91)).isEqualTo("000");
        assertThat(range.allow("10.244.0.3", "10.244.0.2", "udp", 85)).isFalse();
    }

    @Test
    void wayOutIsJudgedAsWell() {
        var out = policies("{podSelector: {matchLabels: {role: friend}}, policyTypes: [Egress],"
                + " egress: [{to: [{podSelector: {matchLabels: {app: web}}}], ports: [{port: http}]}]}");
        assertThat(reach(out, 8080)).isEqualTo("111");
        assertThat(reach(out, 8081)).isEqualTo("011");
        assertThat(out.allow("127.0.0.1", "10.244.0.2", "tcp", 1)).isTrue();
    }

    @Test
    void podsOfAnotherClusterAreNotReached() {
        var other = new Resource(new LogicalCluster("other"), PODS.get(1).json());
        var both = new Policies(List.of(), List.of(PODS.getFirst(), other), NAMESPACES);
        assertThat(both.allow("10.244.0.3", "10.244.0.2", "tcp", 8080)).isFalse();
    }

    @Test
    void theKernelGetsTheSameRules() {
        var policies = policies("{podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress, Egress], ingress:"
                + " [{from: [{podSelector: {}}, {ipBlock: {cidr: 192.0.2.0/24, except: [192.0.2.8/29]}}],"
                + " ports: [{port: http}, {protocol: UDP, port: 5, endPort: 7}]}]}");
        assertThat(PolicyRules.of(policies.isolation(PODS.getFirst()), "10.244.0.1", "127.96.0.0/12", false))
                .isEqualTo("""
                table ip towtank_policies
                delete table ip towtank_policies
                table ip towtank_policies {
                  chain input {
                    type filter hook input priority 0;
                    ct state established,related accept
                    iifname "lo" accept
                    ip saddr { 10.244.0.1 } accept
                    ip saddr { 10.244.0.2, 10.244.0.3, 10.244.0.4 } tcp dport 8080 accept
                    ip saddr { 10.244.0.2, 10.244.0.3, 10.244.0.4 } udp dport 5-7 accept
                    ip saddr 192.0.2.0/24 ip saddr != { 192.0.2.8/29 } tcp dport 8080 accept
                    ip saddr 192.0.2.0/24 ip saddr != { 192.0.2.8/29 } udp dport 5-7 accept
                    drop
                  }
                  chain output {
                    type filter hook output priority 0;
                    ct state established,related accept
                    oifname "lo" accept
                    ip daddr { 10.244.0.1, 127.96.0.0/12 } accept
                    drop
                  }
                }
                """);
        assertThat(PolicyRules.of(Policies.Isolation.NONE, "10.244.0.1", "127.96.0.0/12", false))
                .isEqualTo("table ip towtank_policies\ndelete table ip towtank_policies\n");
    }

    /// Of those whom policies name, only ranges of the world have addresses there.
    @Test
    void byIpv6TheKernelLetsThroughWhatIsNamed() {
        var policies = policies("{podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress, Egress],"
                + " ingress: [{from: [{podSelector: {}}]}], egress: [{to: [{podSelector: {}}]},"
                + " {to: [{ipBlock: {cidr: 0.0.0.0/0}}]}, {to: [{ipBlock: {cidr: '::ffff:0:0/96'}}]},"
                + " {to: [{ipBlock: {cidr: '2001:db8::/32', except: ['2001:db8:1::/48', '2001:db8:2::/48']}}],"
                + " ports: [{port: 443}]}, {ports: [{port: 53, protocol: UDP}]}]}");

        var rules = PolicyRules.of(policies.isolation(PODS.getFirst()), "10.244.0.1", "127.96.0.0/12", true);

        assertThat(rules).startsWith("""
                table ip towtank_policies
                delete table ip towtank_policies
                table ip6 towtank_policies
                delete table ip6 towtank_policies
                """);
        assertThat(rules.substring(rules.lastIndexOf("table ip6"))).isEqualTo("""
                table ip6 towtank_policies {
                  chain input {
                    type filter hook input priority 0;
                    ct state established,related accept
                    iifname "lo" accept
                    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept
                    drop
                  }
                  chain output {
                    type filter hook output priority 0;
                    ct state established,related accept
                    oifname "lo" accept
                    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept
                    ip6 daddr 2001:db8:0:0:0:0:0:0/32 ip6 daddr != { 2001:db8:1:0:0:0:0:0/48, 2001:db8:2:0:0:0:0:0/48 } tcp dport 443 accept
                    udp dport 53 accept
                    drop
                  }
                }
                """);
        assertThat(policies.isolation(PODS.getFirst())
                        .egress()
                        .orElseThrow()
                        .getLast()
                        .allows(0, "udp", 53))
                .isTrue();
    }

    @Test
    void whoIsNamedByIpv6AloneIsNobodyByIpv4() {
        var policies = policies("{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress],"
                + " egress: [{to: [{ipBlock: {cidr: '::/0'}}]}]}");

        assertThat(policies.allow("10.244.0.2", "10.244.0.3", "tcp", 80)).isFalse();
        assertThat(PolicyRules.of(policies.isolation(PODS.getFirst()), "10.244.0.1", "127.96.0.0/12", false))
                .endsWith("ip daddr { 10.244.0.1, 127.96.0.0/12 } accept\n    drop\n  }\n}\n");
    }
}
