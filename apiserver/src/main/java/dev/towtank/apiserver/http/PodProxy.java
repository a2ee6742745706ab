package dev.towtank.apiserver.http;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/// Passes a request on to a pod, and its answer back. The pod never sees who the caller is.
final class PodProxy {

    /// What of a path is ours, and what is the pod's.
    private static final Pattern ADDRESS =
            Pattern.compile("((?:/clusters/[^/]+)?/api/v1/namespaces/[^/]+/[a-z]+/[^/]+/proxy)(/.*)");

    /// What is between two neighbours only, and what the caller showed to us.
    private static final Set<String> OURS = Set.of(
            "authorization",
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "x-remote-user",
            "x-remote-group");

    private final PodAccess pods;

    PodProxy(PodAccess pods) {
        this.pods = pods;
    }

    void serve(Resource pod, int port, Reply reply) {
        var request = reply.request();
        if (!reply.header(HttpHeader.UPGRADE).isEmpty()) {
            throw StatusError.badRequest("connections that change their protocol are not passed on;"
                    + " kubectl port-forward passes on anything");
        }
        var raw = String.valueOf(request.getHttpURI().getPath());
        var address = ADDRESS.matcher(raw);
        if (!address.matches()) {
            redirect(raw, reply);
            return;
        }
        var prefix = address.group(1);
        try (var connection = pods.connect(pod, port)) {
            Disconnection.noticeWhileWorking(reply, connection::close);
            send(request, address.group(2), prefix, connection.output());
            var answer = ProxiedAnswer.read(connection.input(), request.getMethod());
            pass(answer, prefix, reply);
        } catch (IOException | UncheckedIOException e) {
            throw new StatusError(
                    StatusError.Reason.SERVICE_UNAVAILABLE, "error trying to reach service: " + e.getMessage());
        }
    }

    /// A page's own links lead to where it is only below a slash.
    private static void redirect(String raw, Reply reply) {
        if (reply.begin(301)) {
            reply.headers().put(HttpHeader.LOCATION, raw.substring(raw.lastIndexOf('/') + 1) + "/");
            reply.end().succeeded();
        }
    }

    private static void send(Request request, String path, String prefix, OutputStream out) throws IOException {
        var query = request.getHttpURI().getQuery();
        var head = new StringBuilder(request.getMethod())
                .append(' ')
                .append(path)
                .append(query == null ? "" : "?" + query)
                .append(" HTTP/1.1\r\n");
        add(head, "Host", Request.getServerName(request) + ":" + Request.getServerPort(request));
        add(head, "Connection", "close");
        add(head, "X-Forwarded-For", Request.getRemoteAddr(request));
        add(head, "X-Forwarded-Host", Request.getServerName(request) + ":" + Request.getServerPort(request));
        add(head, "X-Forwarded-Proto", "https");
        add(head, "X-Forwarded-Uri", prefix + path);
        for (var field : request.getHeaders()) {
            var name = field.getLowerCaseName();
            if (!OURS.contains(name) && !name.startsWith("x-forwarded-") && !name.startsWith("impersonate-")) {
                add(head, field.getName(), field.getValue());
            }
        }
        long length = request.getLength();
        if (length > 0) {
            add(head, "Content-Length", Long.toString(length));
        } else if (length < 0 && hasBody(request)) {
            add(head, "Transfer-Encoding", "chunked");
        }
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        if (length != 0 && hasBody(request)) {
            sendBody(request, length < 0, out);
        }
        out.flush();
    }

    private static boolean hasBody(Request request) {
        return !Set.of("GET", "HEAD").contains(request.getMethod()) || request.getLength() > 0;
    }

    private static void add(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    private static void sendBody(Request request, boolean chunked, OutputStream out) throws IOException {
        try (var in = Content.Source.asInputStream(request)) {
            var buffer = new byte[SourceWriter.BUFFER];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (chunked && count > 0) {
                    out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                }
                out.write(buffer, 0, count);
                if (chunked && count > 0) {
                    out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                }
            }
        }
        if (chunked) {
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static void pass(ProxiedAnswer answer, String prefix, Reply reply) {
        if (!reply.begin(answer.code())) {
            return;
        }
        for (var header : answer.headers()) {
            var name = header.name().toLowerCase(Locale.ROOT);
            if (name.equals("location")) {
                reply.headers().put(HttpHeader.LOCATION, location(header.value(), prefix));
            } else if (!OURS.contains(name)) {
                reply.headers().add(header.name(), header.value());
            }
        }
        var end = reply.end();
        try (var out = Content.Sink.asOutputStream(reply.response())) {
            var buffer = new byte[SourceWriter.BUFFER];
            for (int count = answer.body().read(buffer);
                    count >= 0;
                    count = answer.body().read(buffer)) {
                out.write(buffer, 0, count);
                out.flush();
            }
        } catch (IOException | UncheckedIOException e) {
            end.failed(e);
            return;
        }
        end.succeeded();
    }

    /// A path of the pod's is below ours; elsewhere is elsewhere.
    private static String location(String given, String prefix) {
        return given.startsWith("/") && !given.startsWith("//") ? prefix + given : given;
    }
}
