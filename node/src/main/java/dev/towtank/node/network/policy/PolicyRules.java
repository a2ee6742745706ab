package dev.towtank.node.network.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The kernel's rules in the network of one pod, as `nft` reads them; pure. What they consist of are numbers of ours
/// alone.
public final class PolicyRules {

    private static final String TABLE = "towtank_policies";
    private static final String IPV4 = "ip";
    private static final String IPV6 = "ip6";

    /// Who is where on the link.
    private static final String NEIGHBOURS = "icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert }";

    private PolicyRules() {}

    /// Takes the place of all that was there before.
    ///
    /// @param machine its address as pods see it: what comes from it was judged before
    /// @param services addresses behind which somebody else judges
    /// @param ipv6 whether the pod has any
    public static String of(Policies.Isolation isolation, String machine, String services, boolean ipv6) {
        var text = new StringBuilder();
        families(ipv6)
                .forEach(family -> text.append("table %1$s %2$s\ndelete table %1$s %2$s\n".formatted(family, TABLE)));
        if (isolation.isNone()) {
            return text.toString();
        }
        for (var family : families(ipv6)) {
            boolean isIpv4 = family.equals(IPV4);
            text.append("table ").append(family).append(' ').append(TABLE).append(" {\n");
            append(text, "input", isIpv4 ? "ip saddr { " + machine + " }" : NEIGHBOURS, isolation.ingress(), family);
            append(
                    text,
                    "output",
                    isIpv4 ? "ip daddr { " + machine + ", " + services + " }" : NEIGHBOURS,
                    isolation.egress(),
                    family);
            text.append("}\n");
        }
        return text.toString();
    }

    private static List<String> families(boolean ipv6) {
        return ipv6 ? List.of(IPV4, IPV6) : List.of(IPV4);
    }

    private static void append(
            StringBuilder text, String hook, String always, Optional<List<Rule>> rules, String family) {
        if (rules.isEmpty()) {
            return;
        }
        boolean inward = hook.equals("input");
        text.append("""
                  chain %1$s {
                    type filter hook %1$s priority 0;
                    ct state established,related accept
                    %2$s "lo" accept
                    %3$s accept
                """.formatted(hook, inward ? "iifname" : "oifname", always));
        var side = family + (inward ? " saddr" : " daddr");
        for (var rule : rules.get()) {
            peers(rule, side, family.equals(IPV4))
                    .forEach(peer -> ports(rule)
                            .forEach(port -> text.append("    ")
                                    .append(peer)
                                    .append(port)
                                    .append("accept\n")));
        }
        text.append("    drop\n  }\n");
    }

    private static List<String> peers(Rule rule, String side, boolean isIpv4) {
        if (rule.isForEverybody()) {
            return List.of("");
        }
        return isIpv4 ? peers(rule, side) : peersIpv6(rule, side);
    }

    private static List<String> peers(Rule rule, String side) {
        var all = new ArrayList<String>();
        var hosts = rule.peers().stream()
                .filter(PolicyRules::isHost)
                .map(range -> range.block().toString().replace("/32", ""))
                .distinct()
                .collect(Collectors.joining(", "));
        if (!hosts.isEmpty()) {
            all.add(side + " { " + hosts + " } ");
        }
        rule.peers().stream()
                .filter(range -> !isHost(range))
                .map(range -> side + " " + range.block() + " "
                        + except(
                                range.except().stream()
                                        .map(Rule.Block::toString)
                                        .toList(),
                                side))
                .distinct()
                .forEach(all::add);
        return all;
    }

    private static List<String> peersIpv6(Rule rule, String side) {
        return rule.peersIpv6().stream()
                .map(range -> side + " " + range.block().text() + " "
                        + except(
                                range.except().stream()
                                        .map(Rule.Ipv6Block::text)
                                        .toList(),
                                side))
                .distinct()
                .toList();
    }

    private static boolean isHost(Rule.Range range) {
        return range.block().prefix() == 32 && range.except().isEmpty();
    }

    private static String except(List<String> except, String side) {
        return except.isEmpty() ? "" : side + " != { " + String.join(", ", except) + " } ";
    }

    private static List<String> ports(Rule rule) {
        return rule.ports().isEmpty()
                ? List.of("")
                : rule.ports().stream()
                        .map(ports -> ports.protocol() + " dport "
                                + (ports.first() == ports.last() ? "" : ports.first() + "-") + ports.last() + " ")
                        .distinct()
                        .toList();
    }
}
