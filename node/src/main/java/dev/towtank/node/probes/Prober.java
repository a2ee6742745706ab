package dev.towtank.node.probes;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// Does the checks that need nothing but the network, with the messages of Kubernetes.
public final class Prober {

    private static final int LONGEST_LINE = 4096;

    private final String podAddress;
    private final Opening opening;

    /// Opens a socket from which the pod is reached.
    @FunctionalInterface
    public interface Opening {
        Socket open() throws IOException;
    }

    /// @param podAddress where the ports of pods are reached
    public Prober(String podAddress) {
        this(podAddress, Socket::new);
    }

    /// @param opening for checks of the pod itself; others are done from the machine
    public Prober(String podAddress, Opening opening) {
        this.podAddress = podAddress;
        this.opening = opening;
    }

    private Socket socket(String host) throws IOException {
        return host.equals(podAddress) ? opening.open() : new Socket();
    }

    public ProbeOutcome tcp(Check.Tcp check, Duration timeout) {
        var host = check.host().isEmpty() ? podAddress : check.host();
        try (var socket = socket(host)) {
            connect(socket, host, check.port(), timeout);
            return ProbeOutcome.SUCCESS;
        } catch (IOException e) {
            return ProbeOutcome.failed(problem(host, check.port(), e));
        }
    }

    public ProbeOutcome grpc(Check.Grpc check, Duration timeout) {
        var authority = podAddress + ":" + check.port();
        try (var socket = opening.open()) {
            connect(socket, podAddress, check.port(), timeout);
            return GrpcHealth.check(socket, authority, check.service(), timeout);
        } catch (IOException e) {
            return GrpcHealth.unreachable(authority, timeout);
        }
    }

    public ProbeOutcome http(Check.Http check, Duration timeout) {
        var host = check.host().isEmpty() ? podAddress : check.host();
        var url = check.url(podAddress);
        try (var plain = socket(host)) {
            connect(plain, host, check.port(), timeout);
            plain.setSoTimeout(Math.toIntExact(timeout.toMillis()));
            var socket = check.scheme().equals("HTTPS") ? encrypted(plain, host, check.port()) : plain;
            socket.getOutputStream().write(request(check, host).getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return judged(statusLine(socket));
        } catch (SocketTimeoutException e) {
            return ProbeOutcome.failed(
                    "Get \"" + url + "\": context deadline exceeded (Client.Timeout exceeded while awaiting headers)");
        } catch (IOException e) {
            return ProbeOutcome.failed("Get \"" + url + "\": " + problem(host, check.port(), e));
        } catch (GeneralSecurityException e) {
            return ProbeOutcome.error("Get \"" + url + "\": " + e.getMessage());
        }
    }

    private static void connect(Socket socket, String host, int port, Duration timeout) throws IOException {
        var address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new UnknownHostException("lookup " + host + ": no such host");
        }
        socket.connect(address, Math.toIntExact(timeout.toMillis()));
    }

    private static String problem(String host, int port, IOException problem) {
        var dial = "dial tcp " + host + ":" + port + ": ";
        if (problem instanceof SocketTimeoutException) {
            return dial + "i/o timeout";
        }
        return problem instanceof ConnectException ? dial + "connect: connection refused" : dial + problem.getMessage();
    }

    private static String request(Check.Http check, String host) {
        var path = check.path().isEmpty() ? "/" : check.path().startsWith("/") ? check.path() : "/" + check.path();
        var request = new StringBuilder("GET " + path + " HTTP/1.1\r\n");
        if (check.headers().stream().noneMatch(header -> header.name().equalsIgnoreCase("Host"))) {
            request.append("Host: ")
                    .append(host)
                    .append(':')
                    .append(check.port())
                    .append("\r\n");
        }
        if (check.headers().stream().noneMatch(header -> header.name().equalsIgnoreCase("User-Agent"))) {
            request.append("User-Agent: kube-probe/1.35\r\n");
        }
        if (check.headers().stream().noneMatch(header -> header.name().equalsIgnoreCase("Accept"))) {
            request.append("Accept: */*\r\n");
        }
        for (var header : check.headers()) {
            request.append(header.name()).append(": ").append(header.value()).append("\r\n");
        }
        return request.append("Connection: close\r\n\r\n").toString();
    }

    private static String statusLine(Socket socket) throws IOException {
        var line = new StringBuilder();
        var input = socket.getInputStream();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0 || line.length() > LONGEST_LINE) {
                throw new IOException("malformed HTTP response");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private static ProbeOutcome judged(String line) {
        var parts = line.split(" ", 3);
        if (parts.length < 2 || !parts[0].startsWith("HTTP/") || !parts[1].matches("\\d{3}")) {
            return ProbeOutcome.failed("malformed HTTP response \"" + line + "\"");
        }
        int code = Integer.parseInt(parts[1]);
        return code >= 200 && code < 400
                ? ProbeOutcome.SUCCESS
                : ProbeOutcome.failed("HTTP probe failed with statuscode: " + code);
    }

    // Probes look whether somebody answers, not who it is: pods have certificates of their own making.
    private static Socket encrypted(Socket socket, String host, int port) throws IOException, GeneralSecurityException {
        var context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anybody()}, new SecureRandom());
        return context.getSocketFactory().createSocket(socket, host, port, true);
    }

    private static final class Anybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
