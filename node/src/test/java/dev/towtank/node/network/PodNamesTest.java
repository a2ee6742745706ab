package dev.towtank.node.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What pods with a network of their own ask for names, and what they are told.
class PodNamesTest {

    private static byte[] question(String name, int type) {
        var out = ByteBuffer.allocate(512).putShort((short) 7).putShort((short) 0x0100);
        out.putShort((short) 1).putShort((short) 0).putInt(0);
        for (var label : name.split("\\.", -1)) {
            out.put((byte) label.length()).put(label.getBytes(StandardCharsets.US_ASCII));
        }
        out.put((byte) 0).putShort((short) type).putShort((short) 1);
        var message = new byte[out.position()];
        out.flip().get(message);
        return message;
    }

    @Test
    void namesHaveAddresses() throws Exception {
        var asked = question("Web.Shop.svc.cluster.local", 1);
        var read = DnsQuestion.of(asked).orElseThrow();
        var address = InetAddress.getByName("10.244.0.7");

        var answer = ByteBuffer.wrap(read.answer(List.of(address)));

        assertThat(read.isOurs()).isTrue();
        assertThat(read.isFor("web.shop.svc.cluster.local")).isTrue();
        assertThat(answer.getShort(0)).isEqualTo((short) 7);
        assertThat(answer.getShort(2)).isEqualTo((short) 0x8580);
        assertThat(answer.getShort(6)).isEqualTo((short) 1);
        assertThat(answer.slice(asked.length + 12, 4).array()).endsWith(address.getAddress());
    }

    @Test
    void whoIsUnknownHasNoNameAndNobodyHasASixthVersion() throws Exception {
        var unknown = DnsQuestion.of(question("x.cluster.local", 1)).orElseThrow();
        assertThat(unknown.answer(List.of())[3] & 15).isEqualTo(3);

        var sixth = DnsQuestion.of(question("x.cluster.local", 28)).orElseThrow();
        var answer = ByteBuffer.wrap(sixth.answer(List.of(InetAddress.getByName("10.244.0.7"))));
        assertThat(answer.getShort(6)).isZero();
        assertThat(answer.get(3) & 15).isZero();
    }

    @Test
    void nonsenseIsNoQuestion() {
        var random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        for (int i = 0; i < 20_000; i++) {
            var noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            if (noise.length > 5 && random.nextBoolean()) {
                noise[2] = 1;
                noise[4] = 0;
                noise[5] = 1;
            }
            DnsQuestion.of(noise)
                    .ifPresent(read -> assertThat(read.answer(List.of())).hasSizeLessThanOrEqualTo(64));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                     | nameserver 10.1.1.1\\nsearch shop.svc.cluster.local svc.cluster.local cluster.local\\noptions ndots:5\\n
            {dnsPolicy: Default}   | nameserver 10.1.1.1\\n
            {dnsPolicy: None, dnsConfig: {nameservers: [9.9.9.9], searches: [a.b], options: [{name: ndots, value: '2'}, {name: rotate}]}} | nameserver 9.9.9.9\\nsearch a.b\\noptions ndots:2 rotate\\n
            {dnsConfig: {options: [{name: ndots, value: '1'}]}} | nameserver 10.1.1.1\\nsearch shop.svc.cluster.local svc.cluster.local cluster.local\\noptions ndots:1\\n
            """)
    void theResolverIsAsThePodSays(String spec, String content) {
        var pod = Resource.of(
                (Json.Obj) YamlText.parse("{metadata: {name: p, namespace: shop}, spec: %s}".formatted(spec)));

        assertThat(ResolverFile.content(pod, "10.1.1.1")).isEqualTo(content.replace("\\n", "\n"));
    }

    @Test
    void rangesDoNotOverlap() {
        var subnet = new Subnet(17);

        assertThat(subnet).hasToString("10.245.16.0/20");
        assertThat(subnet.gateway().getHostAddress()).isEqualTo("10.245.16.1");
        assertThat(subnet.host(Subnet.HOSTS).getHostAddress()).isEqualTo("10.245.31.254");
        assertThat(subnet.host("10.245.17.3")).isEqualTo(259);
        assertThat(subnet.host("10.245.32.3")).isZero();
        assertThat(subnet.host("fe80::1")).isZero();
        assertThat(subnet.overlaps(Subnet.value("10.0.0.0"), Subnet.value("255.0.0.0")))
                .isTrue();
        assertThat(subnet.overlaps(Subnet.value("10.245.20.0"), Subnet.value("255.255.255.0")))
                .isTrue();
        assertThat(subnet.overlaps(Subnet.value("10.245.32.0"), Subnet.value("255.255.240.0")))
                .isFalse();
        assertThat(subnet.overlaps(0, 0)).as("the way to everybody else").isFalse();
    }

    @Test
    void whatWasNotPassedOnBeforeIsNot() {
        assertThat(Firewall.rules("ttpod3", new Subnet(3), List.of("eth0")))
                .contains("ip saddr 10.244.48.0/20 oifname != \"ttpod3\"")
                .contains("oifname \"ttpod3\" iifname != \"ttpod3\" drop")
                .contains("iifname \"eth0\" oifname != \"ttpod*\" drop");
        assertThat(Firewall.rules("ttpod3", new Subnet(3), List.of())).doesNotContain("eth0");
    }
}
