package dev.towtank.node.network;

import dev.towtank.model.Resource;
import java.util.ArrayList;

/// `/etc/resolv.conf` of a pod with a network of its own, as its `dnsPolicy` and `dnsConfig` say; pure.
final class ResolverFile {

    private ResolverFile() {}

    /// @param resolver who answers in its network
    static String content(Resource pod, String resolver) {
        var servers = new ArrayList<String>();
        var searches = new ArrayList<String>();
        var options = new ArrayList<String>();
        var policy = pod.spec().string("dnsPolicy");
        if (!policy.equals("None")) {
            servers.add(resolver);
        }
        if (!policy.equals("None") && !policy.equals("Default")) {
            searches.add(pod.namespace() + ".svc.cluster.local");
            searches.add("svc.cluster.local");
            searches.add("cluster.local");
            options.add("ndots:5");
        }
        var config = pod.spec().object("dnsConfig");
        servers.addAll(config.array("nameservers").strings());
        searches.addAll(config.array("searches").strings());
        for (var option : config.objects("options")) {
            options.removeIf(known -> known.startsWith(option.string("name") + ":"));
            options.add(
                    option.string("value").isEmpty()
                            ? option.string("name")
                            : option.string("name") + ":" + option.string("value"));
        }
        var text = new StringBuilder();
        servers.forEach(server -> text.append("nameserver ").append(server).append('\n'));
        if (!searches.isEmpty()) {
            text.append("search ").append(String.join(" ", searches)).append('\n');
        }
        if (!options.isEmpty()) {
            text.append("options ").append(String.join(" ", options)).append('\n');
        }
        return text.toString();
    }
}
