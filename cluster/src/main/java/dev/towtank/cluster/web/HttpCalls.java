package dev.towtank.cluster.web;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// Calls by HTTP/1.1 over connections that are used again, each on the thread that makes it. For what is near and
/// answers
/// within a millisecond: a client that hands requests to other threads takes longer than that.
public final class HttpCalls implements AutoCloseable {

    private static final int CONNECT_MILLIS = 5_000;
    private static final int MOST_IDLE = 64;
    private static final long LONGEST_IDLE_NANOS = Duration.ofSeconds(4).toNanos();
    private static final int SMALL = 64 << 10;

    private final @Nullable SSLContext tls;

    /// By `host:port`; guarded by itself.
    private final Map<String, Deque<Line>> idle = new HashMap<>();

    private boolean closed;

    private HttpCalls(@Nullable SSLContext tls) {
        this.tls = tls;
    }

    public static HttpCalls plain() {
        return new HttpCalls(null);
    }

    public static HttpCalls over(SSLContext tls) {
        return new HttpCalls(tls);
    }

    /// It did not answer in time.
    public static final class Late extends IOException {
        private static final long serialVersionUID = 1L;

        Late(SocketTimeoutException cause) {
            super(cause);
        }
    }

    /// What is sent.
    public static final class Message {
        private static final Pattern TARGET = Pattern.compile("/[\\x21-\\x7e]*");
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
        private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*");

        private final String authority;
        private final String method;
        private final StringBuilder head;
        private byte[] body = {};
        private boolean mayRepeat;

        /// @param authority `host:port`
        /// @param target path and query, with their escapes
        /// @throws IllegalArgumentException no such request can be sent
        public Message(String authority, String method, String target) {
            this.authority = authority;
            this.method = method;
            if (!NAME.matcher(method).matches() || !TARGET.matcher(target).matches()) {
                throw new IllegalArgumentException("no request: " + method + " " + target);
            }
            head = new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: ");
            head.append(authority).append("\r\n");
        }

        /// @throws IllegalArgumentException it would end the header
        public Message header(String name, String value) {
            if (!NAME.matcher(name).matches() || !VALUE.matcher(value).matches()) {
                throw new IllegalArgumentException("no header: " + name);
            }
            head.append(name).append(": ").append(value).append("\r\n");
            return this;
        }

        public Message body(byte[] bytes) {
            body = bytes.clone();
            return this;
        }

        /// It does no harm to send it twice, where a connection ends before anything came back.
        public Message repeatable() {
            mayRepeat = true;
            return this;
        }

        private void writeTo(OutputStream out) throws IOException {
            boolean isSaid = body.length > 0 || !(method.equals("GET") || method.equals("HEAD"));
            var text = head + (isSaid ? "Content-Length: " + body.length + "\r\n\r\n" : "\r\n");
            var first = text.getBytes(StandardCharsets.ISO_8859_1);
            if (body.length > SMALL) {
                out.write(first);
                out.write(body);
                return;
            }
            var whole = Arrays.copyOf(first, first.length + body.length);
            System.arraycopy(body, 0, whole, first.length, body.length);
            out.write(whole); // in one packet
        }
    }

    /// A connection, and since when nobody uses it.
    private static final class Line implements AutoCloseable {
        private final Socket socket;
        private final HttpInput input;
        private boolean isUsed;
        private long since;

        Line(Socket socket) throws IOException {
            this.socket = socket;
            this.input = new HttpInput(socket.getInputStream());
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // Nobody will use it any more.
            }
        }
    }

    /// @param timeout for each piece of the answer
    /// @throws Late nothing came within that time
    public HttpAnswer send(Message message, Duration timeout) throws IOException {
        for (var line = waiting(message.authority); line != null; line = waiting(message.authority)) {
            try {
                return asked(line, message, timeout);
            } catch (HttpInput.Closed e) {
                if (!message.mayRepeat) {
                    throw new IOException("the connection ended before an answer came", e);
                }
                // While nobody looked: the next one, or a new one.
            }
        }
        return asked(opened(message.authority), message, timeout);
    }

    private HttpAnswer asked(Line line, Message message, Duration timeout) throws IOException {
        boolean isOver = true;
        try {
            line.socket.setSoTimeout(Math.clamp(timeout.toMillis(), 1, Integer.MAX_VALUE));
            try {
                message.writeTo(line.socket.getOutputStream());
            } catch (IOException e) {
                throw line.isUsed ? new HttpInput.Closed(e) : e;
            }
            var answer = HttpAnswer.read(
                    line.input, !message.method.equals("HEAD"), () -> giveBack(message.authority, line), line::close);
            isOver = false;
            return answer;
        } catch (SocketTimeoutException e) {
            throw new Late(e);
        } catch (HttpInput.Closed e) {
            throw line.isUsed ? e : new IOException("it closed the connection without an answer", e);
        } finally {
            if (isOver) {
                line.close();
            }
        }
    }

    private Line opened(String authority) throws IOException {
        int colon = authority.lastIndexOf(':');
        var host = authority.substring(0, colon);
        int port = Integer.parseInt(authority.substring(colon + 1));
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            return new Line(tls == null ? socket : secured(tls, socket, host, port));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static Socket secured(SSLContext tls, Socket socket, String host, int port) throws IOException {
        var secured = (SSLSocket) tls.getSocketFactory().createSocket(socket, host, port, true);
        var parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.setSoTimeout(CONNECT_MILLIS);
        secured.startHandshake();
        return secured;
    }

    private @Nullable Line waiting(String authority) {
        synchronized (idle) {
            var lines = idle.get(authority);
            if (lines == null) {
                return null;
            }
            for (var line = lines.pollLast(); line != null; line = lines.pollLast()) {
                if (System.nanoTime() - line.since < LONGEST_IDLE_NANOS) {
                    return line;
                }
                line.close();
            }
            idle.remove(authority);
            return null;
        }
    }

    private void giveBack(String authority, Line line) {
        line.isUsed = true;
        line.since = System.nanoTime();
        synchronized (idle) {
            var lines = idle.computeIfAbsent(authority, _ -> new ArrayDeque<>());
            if (closed || lines.size() >= MOST_IDLE) {
                line.close();
            } else {
                lines.addLast(line);
            }
            // Those of servers that are gone, and what a rush has left behind.
            idle.values().removeIf(each -> {
                while (!each.isEmpty() && line.since - each.getFirst().since > LONGEST_IDLE_NANOS) {
                    each.removeFirst().close();
                }
                return each.isEmpty();
            });
        }
    }

    @Override
    public void close() {
        synchronized (idle) {
            closed = true;
            idle.values().forEach(lines -> lines.forEach(Line::close));
            idle.clear();
        }
    }
}
