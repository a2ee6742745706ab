package dev.towtank.node.network.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The kernel's rules in the network of one pod, as `nft` reads them; pure. What they consist of are numbers of ours
/// alone.
public final class PolicyRules {

    private static final String TABLE = "towtank_policies";

    private PolicyRules() {}

    /// Takes the place of all that was there before.
    ///
    /// @param machine its address as pods see it: what comes from it was judged before
    /// @param services addresses behind which somebody else judges
    public static String of(Policies.Isolation isolation, String machine, String services) {
        var text = new StringBuilder("table ip %1$s\ndelete table ip %1$s\n".formatted(TABLE));
        if (isolation.isNone()) {
            return text.toString();
        }
        text.append("table ip ").append(TABLE).append(" {\n");
        append(text, "input", "iifname", "saddr", isolation.ingress(), machine);
        append(text, "output", "oifname", "daddr", isolation.egress(), machine + ", " + services);
        return text.append("}\n").toString();
    }

    private static void append(
            StringBuilder text, String hook, String link, String side, Optional<List<Rule>> rules, String always) {
        if (rules.isEmpty()) {
            return;
        }
        text.append("""
                  chain %1$s {
                    type filter hook %1$s priority 0;
                    ct state established,related accept
                    %2$s "lo" accept
                    ip %3$s { %4$s } accept
                """.formatted(hook, link, side, always));
        for (var rule : rules.get()) {
            peers(rule, side)
                    .forEach(peer -> ports(rule)
                            .forEach(port -> text.append("    ")
                                    .append(peer)
                                    .append(port)
                                    .append("accept\n")));
        }
        text.append("    drop\n  }\n");
    }

    private static List<String> peers(Rule rule, String side) {
        if (rule.peers().isEmpty()) {
            return List.of("");
        }
        var all = new ArrayList<String>();
        var hosts = rule.peers().stream()
                .filter(PolicyRules::isHost)
                .map(range -> range.block().toString().replace("/32", ""))
                .distinct()
                .collect(Collectors.joining(", "));
        if (!hosts.isEmpty()) {
            all.add("ip " + side + " { " + hosts + " } ");
        }
        rule.peers().stream()
                .filter(range -> !isHost(range))
                .map(range -> "ip " + side + " " + range.block() + " " + except(range, side))
                .distinct()
                .forEach(all::add);
        return all;
    }

    private static boolean isHost(Rule.Range range) {
        return range.block().prefix() == 32 && range.except().isEmpty();
    }

    private static String except(Rule.Range range, String side) {
        return range.except().isEmpty()
                ? ""
                : range.except().stream()
                        .map(Rule.Block::toString)
                        .collect(Collectors.joining(", ", "ip " + side + " != { ", " } "));
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
