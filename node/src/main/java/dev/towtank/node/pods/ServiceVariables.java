package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The environment variables by which containers find services: `WEB_SERVICE_HOST` and its kin.
final class ServiceVariables {

    private ServiceVariables() {}

    /// @param services of the pod's namespace, and of the namespace default
    static Map<String, String> of(Resource pod, List<Resource> services) {
        var links = !pod.spec().has("enableServiceLinks") || pod.spec().flag("enableServiceLinks");
        var chosen = new LinkedHashMap<String, Resource>();
        for (var service : services) {
            var master = service.namespace().equals("default") && service.name().equals("kubernetes");
            if (hasAddress(service) && (master || (links && service.namespace().equals(pod.namespace())))) {
                // A service of the pod's own namespace hides the one of the server.
                if (!master || !chosen.containsKey(service.name())) {
                    chosen.put(service.name(), service);
                }
            }
        }
        var variables = new LinkedHashMap<String, String>();
        chosen.values().forEach(service -> add(variables, service));
        return variables;
    }

    private static boolean hasAddress(Resource service) {
        var address = service.spec().string("clusterIP");
        return !address.isEmpty()
                && !address.equals("None")
                && !service.spec().objects("ports").isEmpty();
    }

    private static void add(Map<String, String> variables, Resource service) {
        var prefix = variable(service.name());
        var address = service.spec().string("clusterIP");
        var ports = service.spec().objects("ports");
        variables.put(prefix + "_SERVICE_HOST", address);
        variables.put(prefix + "_SERVICE_PORT", number(ports.getFirst()));
        for (var port : ports) {
            if (!port.string("name").isEmpty()) {
                variables.put(prefix + "_SERVICE_PORT_" + variable(port.string("name")), number(port));
            }
        }
        variables.put(prefix + "_PORT", url(address, ports.getFirst()));
        for (var port : ports) {
            var link = prefix + "_PORT_" + number(port) + "_" + protocol(port);
            variables.put(link, url(address, port));
            variables.put(link + "_PROTO", protocol(port).toLowerCase(Locale.ROOT));
            variables.put(link + "_PORT", number(port));
            variables.put(link + "_ADDR", address);
        }
    }

    private static String url(String address, Json.Obj port) {
        return protocol(port).toLowerCase(Locale.ROOT) + "://" + address + ":" + number(port);
    }

    private static String protocol(Json.Obj port) {
        var protocol = port.string("protocol");
        return protocol.isEmpty() ? "TCP" : protocol;
    }

    private static String number(Json.Obj port) {
        return Long.toString(port.integer("port"));
    }

    private static String variable(String name) {
        return name.replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
