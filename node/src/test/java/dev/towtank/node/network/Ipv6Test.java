package dev.towtank.node.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Ipv6Test {

    private static final String ZEROS = "0".repeat(32);

    private static String route(String destination, String prefix, String flags, String link) {
        return "%s %s %s 00 %s 00000400 00000001 00000000 %s     %s"
                .formatted(destination, prefix, ZEROS, ZEROS, flags, link);
    }

    @Test
    void theWorldIsReachedByDefaultRoutesThatLeadSomewhere() {
        assertThat(Ipv6.uplinks(List.of(
                        route("20010db8" + "0".repeat(24), "40", "00000001", "eth1"),
                        route(ZEROS, "00", "00000003", "eth0"),
                        route(ZEROS, "00", "00000003", "eth0"),
                        route(ZEROS, "00", "00200200", "lo"),
                        route(ZEROS, "00", "00000200", "eth2"),
                        "")))
                .containsExactly("eth0");
    }

    @Test
    void anAddressThatALinkGaveItselfIsNone(@TempDir Path directory) throws IOException {
        var addresses = Files.writeString(directory.resolve("if_inet6"), """
                fd746f77746100050000000000000001 0b 40 00 82   ttpod5
                fe800000000000000000000000000001 0c 40 20 80   ttpod6
                """);
        assertThat(Ipv6.isHeldBy("ttpod5", addresses)).isTrue();
        assertThat(Ipv6.isHeldBy("ttpod6", addresses)).isFalse();
        assertThat(Ipv6.isHeldBy("ttpod", addresses)).isFalse();
        assertThat(Ipv6.isHeldBy("ttpod5", directory.resolve("none"))).isFalse();
    }

    @Test
    void eachPodHasOneAddressAndSendsFromNoOther() {
        var subnet = new Subnet(26);
        assertThat(subnet.rangeIpv6()).isEqualTo("fd74:6f77:7461:1a::/64");
        assertThat(subnet.hostIpv6(258).getHostAddress()).isEqualTo("fd74:6f77:7461:1a:0:0:0:102");

        var rules = Firewall.rulesIpv6("ttpod26", subnet, List.of("eth0"));

        assertThat(rules)
                .startsWith("table ip6 ttpod26\ndelete table ip6 ttpod26\ntable bridge ttpod26\n")
                .contains("{ 0a:58:0a:f5:a0:02 . fd74:6f77:7461:1a:0:0:0:2, 0a:58:0a:f5:a0:03 . ")
                .contains("0a:58:0a:f5:af:fe . fd74:6f77:7461:1a:0:0:0:ffe }")
                .contains("iifname \"ttpod26\" ether saddr . ip6 saddr != @senders drop\n")
                .contains("iifname \"tp26-*\" ether type ip6 drop\n")
                .contains("iifname \"eth0\" oifname != \"ttpod*\" drop\n")
                .doesNotContain("%");
        assertThat(rules.indexOf("@senders drop")).isLessThan(rules.indexOf("oifname"));
    }
}
