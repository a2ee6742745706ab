package dev.towtank.node.network;

import dev.towtank.model.Resource;
import dev.towtank.node.network.ServiceTable.Name;
import java.util.List;

/// `/etc/hosts` of a pod: itself, its aliases, and the services of its logical cluster.
public final class HostsFile {

    private static final String DOMAIN = "cluster.local";

    private static final String HEAD = """
            # Managed by the node.
            127.0.0.1\tlocalhost
            ::1\tlocalhost ip6-localhost ip6-loopback
            """;

    private HostsFile() {}

    public static String content(Resource pod, String hostname, String podAddress, List<Name> services) {
        var text = new StringBuilder(HEAD);
        var subdomain = pod.spec().string("subdomain");
        text.append(podAddress).append('\t');
        if (!subdomain.isEmpty()) {
            text.append(hostname + "." + subdomain + "." + pod.namespace() + ".svc." + DOMAIN + "\t");
        }
        text.append(hostname).append('\n');
        for (var alias : pod.spec().objects("hostAliases")) {
            text.append(alias.string("ip"))
                    .append('\t')
                    .append(String.join("\t", alias.array("hostnames").strings()))
                    .append('\n');
        }
        for (var service : services) {
            if (service.cluster().equals(pod.cluster())) {
                append(text, pod, service);
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Resource pod, Name service) {
        var full = service.service() + "." + service.namespace();
        text.append(service.address()).append('\t');
        if (service.namespace().equals(pod.namespace())) {
            text.append(service.service()).append(' ');
        }
        text.append(full + " " + full + ".svc " + full + ".svc." + DOMAIN).append('\n');
    }
}
