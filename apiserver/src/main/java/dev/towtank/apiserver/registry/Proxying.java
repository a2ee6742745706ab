package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Optional;

/// Which pod a request is passed on to that names one, or a Service. Only pods: no other address is ever asked.
final class Proxying {

    private static final GroupResource PODS = new GroupResource("", "pods");
    private static final GroupResource SERVICES = new GroupResource("", "services");
    private static final GroupResource ENDPOINTS = new GroupResource("", "endpoints");
    private static final int USUAL_PORT = 80;
    private static final int HIGHEST_PORT = 65535;

    private final Store store;
    private final Commits commits;

    Proxying(Store store, Commits commits) {
        this.store = store;
        this.commits = commits;
    }

    /// What a request names: `name`, `name:port` or `scheme:name:port`.
    private record Id(String scheme, String name, String port) {

        static Id of(String text, String kind) {
            var parts = text.split(":", -1);
            var id = switch (parts.length) {
                case 1 -> new Id("", parts[0], "");
                case 2 -> new Id("", parts[0], parts[1]);
                case 3 -> new Id(parts[0], parts[1], parts[2]);
                default -> new Id("?", "", "");
            };
            if (id.name.isEmpty() || !List.of("", "http", "https").contains(id.scheme)) {
                throw StatusError.badRequest("invalid " + kind + " request \"" + text + "\"");
            }
            if (id.scheme.equals("https")) {
                throw StatusError.badRequest("requests are passed on to pods over http only, not over https as \""
                        + text + "\" says; kubectl port-forward passes on anything");
            }
            return id;
        }

        boolean hasNumber() {
            return port.matches("[0-9]{1,5}");
        }

        int number() {
            int number = hasNumber() ? Integer.parseInt(port) : 0;
            if (number < 1 || number > HIGHEST_PORT) {
                throw StatusError.badRequest("\"" + port + "\" is no port");
            }
            return number;
        }
    }

    Answer pod(Call call) {
        var id = Id.of(call.target().name(), "pod");
        var pod = find(call, PODS, id.name);
        commits.check(ConnectRequests.review(call));
        int port = id.port.isEmpty() ? firstPort(pod) : id.number();
        return proxied(call, pod, port);
    }

    private static int firstPort(Json.Obj pod) {
        return pod.objects("spec", "containers").stream()
                .flatMap(container -> container.objects("ports").stream())
                .map(port -> (int) port.integer("containerPort"))
                .findFirst()
                .orElse(USUAL_PORT);
    }

    Answer service(Call call) {
        var id = Id.of(call.target().name(), "service");
        var service = find(call, SERVICES, id.name);
        commits.check(ConnectRequests.review(call));
        var portName = id.hasNumber() ? portName(service, id) : id.port;
        var endpoints = find(call, ENDPOINTS, id.name);
        for (var subset : endpoints.objects("subsets")) {
            var port = subset.objects("ports").stream()
                    .filter(each -> each.string("name").equals(portName))
                    .findFirst();
            var pod = subset.objects("addresses").stream()
                    .flatMap(address -> pod(call, address).stream())
                    .findFirst();
            if (port.isPresent() && pod.isPresent()) {
                return proxied(call, pod.get(), (int) port.get().integer("port"));
            }
        }
        throw unavailable(
                "no endpoints available for service \"" + call.target().name() + "\"");
    }

    private static String portName(Json.Obj service, Id id) {
        return service.objects("spec", "ports").stream()
                .filter(port -> port.integer("port") == id.number())
                .map(port -> port.string("name"))
                .findFirst()
                .orElseThrow(
                        () -> unavailable("no service port " + id.port + " found for service \"" + id.name + "\""));
    }

    /// An address counts only with the pod whose it is: people write what they like into Endpoints.
    private Optional<Json.Obj> pod(Call call, Json.Obj address) {
        var reference = address.object("targetRef");
        if (!reference.string("kind").equals("Pod")
                || !reference.string("namespace").equals(call.target().namespace())) {
            return Optional.empty();
        }
        var stored = store.get(new Key(PODS, call.cluster(), call.target().namespace(), reference.string("name")));
        return Optional.ofNullable(stored)
                .map(found -> found.tree())
                .filter(pod -> pod.objects("status", "podIPs").stream()
                        .anyMatch(ip -> ip.string("ip").equals(address.string("ip"))));
    }

    private Json.Obj find(Call call, GroupResource resource, String name) {
        var stored = store.get(new Key(resource, call.cluster(), call.target().namespace(), name));
        if (stored == null) {
            throw StatusError.notFound(resource, name);
        }
        return stored.tree();
    }

    private static Answer proxied(Call call, Json.Obj pod, int port) {
        if (pod.string("spec", "nodeName").isEmpty()
                || pod.objects("status", "podIPs").isEmpty()) {
            throw StatusError.badRequest("address not allowed");
        }
        return new Answer.Proxied(new Resource(call.cluster(), pod), port, List.of());
    }

    private static StatusError unavailable(String message) {
        return new StatusError(StatusError.Reason.SERVICE_UNAVAILABLE, message);
    }
}
