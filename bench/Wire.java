import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/// One connection to a server, speaking just enough HTTP to ask and to watch: what a client computes is not what is
/// measured, and it shares the machine with the server.
final class Wire implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;
    private final String head;

    Wire(URI server, String token) throws Exception {
        socket = AnyServer.sockets().createSocket(server.getHost(), server.getPort());
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        head = " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\nAuthorization: Bearer " + token
                + "\r\nContent-Type: application/json\r\nContent-Length: ";
    }

    /// The answer's body.
    String ask(String method, String path, String body, int expected) throws IOException {
        send(method, path, body);
        int status = status();
        var answer = new String(body(), StandardCharsets.UTF_8);
        if (status != expected) {
            throw new IOException(method + " " + path + " was answered with " + status + ": " + answer);
        }
        return answer;
    }

    /// Hands over lines until one is not wanted any more.
    void watch(String path, Predicate<String> goesOn) throws IOException {
        send("GET", path, "");
        if (status() != 200) {
            throw new IOException("the watch was answered with " + new String(body(), StandardCharsets.UTF_8));
        }
        skipHeaders();
        var line = new ByteArrayOutputStream();
        for (int left = chunk(); left > 0; left = chunk()) {
            for (byte each : in.readNBytes(left)) {
                if (each != '\n') {
                    line.write(each);
                } else if (!goesOn.test(line.toString(StandardCharsets.UTF_8))) {
                    return;
                } else {
                    line.reset();
                }
            }
            line();
        }
        throw new IOException("the watch ended");
    }

    private void send(String method, String path, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        var message = method + " " + path + head + bytes.length + "\r\n\r\n" + body;
        socket.getOutputStream().write(message.getBytes(StandardCharsets.UTF_8));
    }

    private int status() throws IOException {
        return Integer.parseInt(line().split(" ", 3)[1]);
    }

    private byte[] body() throws IOException {
        int length = -1;
        for (var header = line(); !header.isEmpty(); header = line()) {
            if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(header.substring(15).strip());
            }
        }
        if (length >= 0) {
            return in.readNBytes(length);
        }
        var whole = new ByteArrayOutputStream();
        for (int left = chunk(); left > 0; left = chunk()) {
            whole.write(in.readNBytes(left));
            line();
        }
        line();
        return whole.toByteArray();
    }

    private void skipHeaders() throws IOException {
        while (!line().isEmpty()) {
            // none of them matters
        }
    }

    private int chunk() throws IOException {
        return Integer.parseInt(line().strip(), 16);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server closed the connection");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
