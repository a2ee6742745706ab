package dev.towtank.node.probes;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// What a probe or a lifecycle hook does.
public sealed interface Check {

    record Command(List<String> arguments) implements Check {
        public Command {
            arguments = List.copyOf(arguments);
        }
    }

    /// @param host empty for the pod itself
    record Http(String scheme, String host, int port, String path, List<Header> headers) implements Check {
        public Http {
            headers = List.copyOf(headers);
        }

        /// Without the host where it is the pod.
        public String url(String address) {
            return scheme.toLowerCase(Locale.ROOT) + "://" + (host.isEmpty() ? address : host) + ":" + port
                    + (path.startsWith("/") ? path : "/" + path);
        }
    }

    record Header(String name, String value) {}

    record Tcp(String host, int port) implements Check {}

    /// @param service empty for the server as a whole
    record Grpc(int port, String service) implements Check {}

    record Sleep(long seconds) implements Check {}

    /// Something that this node cannot do.
    record Impossible(String why) implements Check {}

    /// @param container whose ports may be named
    static Check of(Json.Obj container, Json.Obj handler) {
        if (handler.get("exec") instanceof Json.Obj exec) {
            return new Command(exec.array("command").strings());
        }
        if (handler.get("httpGet") instanceof Json.Obj get) {
            var port = port(container, get.get("port"));
            var headers = get.objects("httpHeaders").stream()
                    .map(header -> new Header(header.string("name"), header.string("value")))
                    .toList();
            var scheme = get.string("scheme").isEmpty() ? "HTTP" : get.string("scheme");
            return port.isPresent()
                    ? new Http(scheme, get.string("host"), port.getAsInt(), get.string("path"), headers)
                    : noPort(container, get);
        }
        if (handler.get("tcpSocket") instanceof Json.Obj socket) {
            var port = port(container, socket.get("port"));
            return port.isPresent() ? new Tcp(socket.string("host"), port.getAsInt()) : noPort(container, socket);
        }
        if (handler.get("sleep") instanceof Json.Obj sleep) {
            return new Sleep(sleep.integer("seconds"));
        }
        if (handler.get("grpc") instanceof Json.Obj grpc) {
            return new Grpc((int) grpc.integer("port"), grpc.string("service"));
        }
        return new Impossible("missing probe handler for container " + container.string("name"));
    }

    private static Impossible noPort(Json.Obj container, Json.Obj handler) {
        var name = handler.string("port");
        return new Impossible("couldn't find port: \"" + name + "\" in container \"" + container.string("name") + "\"");
    }

    private static OptionalInt port(Json.Obj container, @Nullable Json port) {
        if (port instanceof Json.Int(var number)) {
            return OptionalInt.of((int) number);
        }
        if (!(port instanceof Json.Str(var text))) {
            return OptionalInt.empty();
        }
        for (var named : container.objects("ports")) {
            if (named.string("name").equals(text)) {
                return OptionalInt.of((int) named.integer("containerPort"));
            }
        }
        try {
            return OptionalInt.of(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }
}
