package dev.towtank.apiserver.http.streams;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Connections from a client to ports of a pod.
record PortForwarding(PodAccess access, Resource pod) {

    private static final int HIGHEST_PORT = 65535;

    /// Every connection is a pair of streams that the client opens: one for data, one for what goes wrong.
    void over(SpdySession session) throws InterruptedException, IOException {
        Map<String, SpdySession.Stream> errors = new HashMap<>();
        Map<String, SpdySession.Stream> data = new HashMap<>();
        for (var stream = session.accept(); stream != null; stream = session.accept()) {
            var id = stream.header("requestid").isEmpty() ? stream.header("port") : stream.header("requestid");
            if (stream.header("streamtype").equals("error")) {
                errors.put(id, stream);
            } else {
                data.put(id, stream);
            }
            var error = errors.get(id);
            var pair = data.get(id);
            if (error != null && pair != null) {
                errors.remove(id);
                data.remove(id);
                Thread.startVirtualThread(() -> {
                    forward(port(pair.header("port")), pair.input(), pair.output(), error.output());
                    pair.forget();
                    error.forget();
                });
            }
        }
    }

    /// Every port has two channels, and one connection at a time: the older way over WebSocket.
    void over(WebSocketLink link, List<String> ports) throws IOException {
        var channels = new Channels(link, ports.size() * 2);
        for (int i = 0; i < ports.size(); i++) {
            int port = port(ports.get(i));
            var data = channels.output(2 * i);
            var error = channels.output(2 * i + 1);
            var number = ByteBuffer.allocate(2).order(ByteOrder.LITTLE_ENDIAN).putShort((short) port);
            data.write(number.array());
            error.write(number.array());
            var input = channels.input(2 * i);
            Thread.startVirtualThread(() -> forward(port, input, data, error));
        }
        channels.receive();
    }

    private void forward(int port, InputStream input, OutputStream output, OutputStream error) {
        try (var connection = access.connect(pod, port)) {
            var sending = Thread.startVirtualThread(() -> BytePipe.copy(input, connection.output()));
            BytePipe.copy(connection.input(), output);
            input.close();
            sending.join();
            error.close();
        } catch (StatusError | UncheckedIOException | IOException e) {
            tell(error, port, String.valueOf(e.getMessage()));
            close(output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(OutputStream output) {
        try {
            output.close();
        } catch (IOException e) {
            // It is over either way.
        }
    }

    private void tell(OutputStream error, int port, String problem) {
        var text = "error forwarding port " + port + " to pod " + pod.name() + ", uid " + pod.uid() + ": " + problem;
        try (error) {
            error.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // Nobody is there any more who could want to know.
        }
    }

    /// @throws StatusError when it is no port
    static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= HIGHEST_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw StatusError.badRequest("unable to parse \"" + text + "\" as a port");
    }
}
