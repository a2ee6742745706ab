package dev.towtank.apiserver.http.streams;

import dev.towtank.apiserver.Params;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.pods.PodAccess.ExecRequest;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.Configuration;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketServerComponents;

/// Turns requests for `exec`, `attach` and `portforward` into streams to a pod.
public final class PodStreams {

    /// How long a stream may be silent, as a kubelet has it.
    static final Duration IDLE = Duration.ofHours(4);

    private static final String SPDY = "SPDY/3.1";
    private static final String STREAM_PROTOCOL = "X-Stream-Protocol-Version";
    private static final String PORT_FORWARD = "portforward.k8s.io";
    private static final String TUNNEL = SPDY + "+" + PORT_FORWARD;
    private static final String CHANNELS = "v4.channel.k8s.io";
    private static final String CLOSABLE_CHANNELS = "v5.channel.k8s.io";
    private static final long STREAMS_WITHIN_SECONDS = 30;

    private final PodAccess access;
    private final Executor mayBlock;
    private final WebSocketMappings webSockets;
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();

    public PodStreams(PodAccess access, Server server, Executor mayBlock) {
        this.access = access;
        this.mayBlock = mayBlock;
        this.webSockets = new WebSocketMappings(WebSocketServerComponents.ensureWebSocketComponents(server));
    }

    /// The request as Jetty has it, to be answered by leaving HTTP.
    public record Exchange(Request request, Response response, Callback callback) {
        private String header(String name) {
            var value = request.getHeaders().get(name);
            return value == null ? "" : value;
        }

        private boolean wants(String protocol) {
            return header("Upgrade").equalsIgnoreCase(protocol);
        }
    }

    /// @throws StatusError when the request cannot become streams; nothing has been sent then
    public void serve(Resource pod, String subresource, Params params, Exchange exchange) {
        if (!exchange.wants("websocket") && !exchange.wants(SPDY)) {
            throw StatusError.badRequest("Upgrade request required");
        }
        switch (subresource) {
            case "exec" -> {
                var wanted = command(params);
                if (wanted.command().isEmpty()) {
                    throw StatusError.badRequest("you must specify at least one command for the container");
                }
                command(access.exec(pod, wanted), wanted, exchange);
            }
            case "attach" -> {
                var wanted = command(params);
                command(access.attach(pod, wanted), wanted, exchange);
            }
            default -> forward(new PortForwarding(access, pod), params, exchange);
        }
    }

    private static ExecRequest command(Params params) {
        var request = new ExecRequest(
                params.text("container"),
                params.all("command"),
                params.flag("stdin"),
                params.flag("stdout"),
                params.flag("stderr"),
                params.flag("tty"));
        if (!request.stdin() && !request.stdout() && !request.stderr()) {
            throw StatusError.badRequest("you must specify at least 1 of stdin, stdout, stderr");
        }
        return request;
    }

    private void command(PodAccess.Session session, ExecRequest wanted, Exchange exchange) {
        try {
            if (exchange.wants(SPDY)) {
                var protocol = chosen(exchange, STREAM_PROTOCOL, List.of(CHANNELS));
                spdy(exchange, protocol, spdy -> run(session, wanted, spdy));
            } else {
                var protocol = chosen(exchange, "Sec-WebSocket-Protocol", List.of(CLOSABLE_CHANNELS, CHANNELS));
                webSocket(exchange, protocol, link -> run(session, wanted, link));
            }
        } catch (StatusError e) {
            session.close();
            throw e;
        }
    }

    private void run(PodAccess.Session session, ExecRequest wanted, WebSocketLink link) throws IOException {
        var channels = new Channels(link, Channels.RESIZE + 1);
        try (session) {
            Thread.startVirtualThread(() -> {
                channels.receive();
                session.close(); // the client has gone
            });
            // An empty message tells the client that the streams are there.
            channels.output(Channels.STDOUT).write(new byte[0]);
            new RemoteCommand(
                            wanted.stdin() ? channels.input(Channels.STDIN) : InputStream.nullInputStream(),
                            channels.output(Channels.STDOUT),
                            channels.output(Channels.STDERR),
                            channels.output(Channels.ERROR),
                            channels.input(Channels.RESIZE))
                    .run(session);
        }
    }

    private void run(PodAccess.Session session, ExecRequest wanted, SpdySession spdy)
            throws IOException, InterruptedException {
        try (session) {
            var streams = streams(wanted, spdy);
            Thread.startVirtualThread(() -> awaitGoodbye(spdy, session));
            new RemoteCommand(
                            input(streams, "stdin"),
                            output(streams, "stdout"),
                            output(streams, "stderr"),
                            output(streams, "error"),
                            input(streams, "resize"))
                    .run(session);
        }
    }

    /// Waits for all the streams that the client will open for what it asked for.
    private static Map<String, SpdySession.Stream> streams(ExecRequest wanted, SpdySession spdy)
            throws IOException, InterruptedException {
        int expected = 1
                + count(wanted.stdin())
                + count(wanted.stdout())
                + count(wanted.stderr() && !wanted.tty())
                + count(wanted.tty());
        var streams = new HashMap<String, SpdySession.Stream>();
        while (streams.size() < expected) {
            var stream = spdy.accept(STREAMS_WITHIN_SECONDS);
            if (stream == null) {
                throw new IOException("the client opened " + streams.size() + " of " + expected + " streams");
            }
            streams.put(stream.header("streamtype"), stream);
        }
        return streams;
    }

    private static int count(boolean wanted) {
        return wanted ? 1 : 0;
    }

    private static void awaitGoodbye(SpdySession spdy, PodAccess.Session session) {
        try {
            while (spdy.accept() != null) {
                // A client that opens more streams than it needs gets no more out of them.
            }
            session.close();
        } catch (IOException e) {
            session.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static InputStream input(Map<String, SpdySession.Stream> streams, String type) {
        var stream = streams.get(type);
        return stream == null ? InputStream.nullInputStream() : stream.input();
    }

    private static OutputStream output(Map<String, SpdySession.Stream> streams, String type) {
        var stream = streams.get(type);
        return stream == null ? OutputStream.nullOutputStream() : stream.output();
    }

    private void forward(PortForwarding forwarding, Params params, Exchange exchange) {
        if (exchange.wants(SPDY)) {
            var protocol = chosen(exchange, STREAM_PROTOCOL, List.of(PORT_FORWARD));
            spdy(exchange, protocol, forwarding::over);
            return;
        }
        var protocol = chosen(exchange, "Sec-WebSocket-Protocol", List.of(TUNNEL, CHANNELS));
        if (protocol.equals(TUNNEL)) {
            webSocket(exchange, protocol, link -> {
                var tunnel = new Tunnel(link);
                Thread.startVirtualThread(tunnel::receive);
                speak(tunnel, forwarding::over);
            });
            return;
        }
        var ports = params.all("ports").stream()
                .flatMap(each -> List.of(each.split(",", -1)).stream())
                .toList();
        if (ports.isEmpty()) {
            throw StatusError.badRequest("query parameter \"ports\" is required");
        }
        ports.forEach(PortForwarding::port);
        webSocket(exchange, protocol, link -> forwarding.over(link, ports));
    }

    private static String chosen(Exchange exchange, String header, List<String> ours) {
        var offered = exchange.request().getHeaders().getCSV(header, false);
        return ours.stream()
                .filter(offered::contains)
                .findFirst()
                .orElseThrow(() -> StatusError.badRequest("unable to upgrade: unable to negotiate protocol: client"
                        + " supports " + offered + ", server accepts " + ours));
    }

    /// What is done with streams; that they break is the end of it.
    @FunctionalInterface
    private interface Work<T> {
        void with(T streams) throws IOException, InterruptedException;
    }

    private <T extends AutoCloseable> void whileOpen(T streams, Work<T> work) {
        open.add(streams);
        try {
            work.with(streams);
        } catch (IOException e) {
            // The client has gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(streams);
        }
    }

    private void webSocket(Exchange exchange, String protocol, Work<WebSocketLink> work) {
        boolean upgraded = webSockets.upgrade(
                (_, response, _) -> {
                    response.setAcceptedSubProtocol(protocol);
                    return new WebSocketLink(mayBlock, link -> whileOpen(link, work));
                },
                exchange.request,
                exchange.response,
                exchange.callback,
                new Configuration.ConfigurationCustomizer());
        if (!upgraded) {
            throw StatusError.badRequest("the request is no valid WebSocket handshake");
        }
    }

    private void spdy(Exchange exchange, String protocol, Work<SpdySession> work) {
        var endPoint = exchange.request.getConnectionMetaData().getConnection().getEndPoint();
        var connector = exchange.request.getConnectionMetaData().getConnector();
        var connection = new RawConnection(endPoint, connector.getExecutor(), mayBlock, duplex -> speak(duplex, work));
        exchange.request.setAttribute(HttpStream.UPGRADE_CONNECTION_ATTRIBUTE, connection);
        exchange.response.setStatus(101);
        exchange.response
                .getHeaders()
                .put(HttpHeader.CONNECTION, "Upgrade")
                .put(HttpHeader.UPGRADE, SPDY)
                .put(STREAM_PROTOCOL, protocol);
        exchange.response.write(true, null, exchange.callback);
    }

    private void speak(Duplex duplex, Work<SpdySession> work) {
        try (var session = new SpdySession(duplex)) {
            Thread.startVirtualThread(session::receive);
            whileOpen(session, work);
        }
    }

    /// Ends all streams.
    public void stop() {
        for (var each : open) {
            try {
                each.close();
            } catch (Exception e) {
                // It was ending by itself.
            }
        }
    }
}
