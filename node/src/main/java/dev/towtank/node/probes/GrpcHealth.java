package dev.towtank.node.probes;

import dev.towtank.model.Durations;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Asks a server for its health by `grpc.health.v1`, and says what it found in the words of Kubernetes.
final class GrpcHealth {

    private static final String METHOD = "/grpc.health.v1.Health/Check";
    private static final int DEADLINE_EXCEEDED = 4;
    private static final int UNIMPLEMENTED = 12;
    private static final int SERVING = 1;

    private static final List<String> STATUSES = List.of("UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN");
    private static final List<String> CODES = List.of(
            "OK",
            "Canceled",
            "Unknown",
            "InvalidArgument",
            "DeadlineExceeded",
            "NotFound",
            "AlreadyExists",
            "PermissionDenied",
            "ResourceExhausted",
            "FailedPrecondition",
            "Aborted",
            "OutOfRange",
            "Unimplemented",
            "Internal",
            "Unavailable",
            "DataLoss",
            "Unauthenticated");
    /// What an answer means that some other server than one of gRPC gave.
    private static final Map<String, Integer> BY_HTTP =
            Map.of("400", 13, "401", 16, "403", 7, "404", 12, "429", 14, "502", 14, "503", 14, "504", 14);

    private GrpcHealth() {}

    /// @param socket connected
    /// @param authority host and port
    static ProbeOutcome check(Socket socket, String authority, String service, Duration timeout) {
        GrpcCall call;
        try {
            socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
            socket.setTcpNoDelay(true);
            call = new GrpcCall(
                    new DataInputStream(new BufferedInputStream(socket.getInputStream())), socket.getOutputStream());
        } catch (IOException e) {
            return unreachable(authority, timeout);
        }
        try {
            call.ask(authority, METHOD, request(service), timeout);
            return judged(call.answer(), timeout);
        } catch (SocketTimeoutException e) {
            return call.greeted() ? late(timeout) : unreachable(authority, timeout);
        } catch (IOException e) {
            return call.greeted() ? failed(14, String.valueOf(e.getMessage())) : unreachable(authority, timeout);
        }
    }

    /// Kubernetes tries to connect until the time is over, and says so whatever was wrong.
    static ProbeOutcome unreachable(String authority, Duration timeout) {
        return ProbeOutcome.failed("timeout: failed to connect service \"" + authority + "\" within "
                + Durations.format(timeout) + ": context deadline exceeded");
    }

    private static ProbeOutcome late(Duration timeout) {
        return ProbeOutcome.failed("timeout: health rpc did not complete within " + Durations.format(timeout));
    }

    private static ProbeOutcome failed(int code, String message) {
        var name = code < CODES.size() ? CODES.get(code) : "Code(" + code + ")";
        return ProbeOutcome.failed("error: health rpc probe failed: rpc error: code = " + name + " desc = " + message);
    }

    /// The message's one field: number 1, a text.
    private static byte[] request(String service) {
        if (service.isEmpty()) {
            return new byte[0];
        }
        var name = service.getBytes(StandardCharsets.UTF_8);
        var message = ByteBuffer.allocate(name.length + 6).put((byte) 0x0a);
        int rest = name.length;
        while (rest >= 0x80) {
            message.put((byte) (0x80 | (rest & 0x7f)));
            rest >>>= 7;
        }
        message.put((byte) rest).put(name);
        return Arrays.copyOf(message.array(), message.position());
    }

    private static ProbeOutcome judged(GrpcCall.Answer answer, Duration timeout) {
        var headers = answer.headers();
        int code = code(headers);
        if (code != 0) {
            var message = message(headers);
            return switch (code) {
                case UNIMPLEMENTED ->
                    ProbeOutcome.failed("error: this server does not implement the grpc health protocol"
                            + " (grpc.health.v1.Health): " + message);
                case DEADLINE_EXCEEDED -> late(timeout);
                default -> failed(code, message);
            };
        }
        if (answer.message().isEmpty()) {
            return failed(13, "cardinality violation: received no response message from non-server-streaming RPC");
        }
        int status = status(answer.message().get());
        var name = status < STATUSES.size() ? STATUSES.get(status) : Integer.toString(status);
        return status == SERVING
                ? ProbeOutcome.SUCCESS
                : ProbeOutcome.failed("service unhealthy (responded with \"" + name + "\")");
    }

    private static int code(Map<String, String> headers) {
        var status = headers.getOrDefault("grpc-status", "");
        if (status.matches("[0-9]{1,3}")) {
            return Integer.parseInt(status);
        }
        return BY_HTTP.getOrDefault(headers.getOrDefault(":status", ""), 2);
    }

    private static String message(Map<String, String> headers) {
        if (!headers.containsKey("grpc-status")) {
            return "unexpected HTTP status code received from server: " + headers.getOrDefault(":status", "none");
        }
        var text = headers.getOrDefault("grpc-message", "");
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /// The message's one field: number 1, a small number; absent is 0.
    private static int status(ByteBuffer message) {
        return message.remaining() >= 2 && message.get() == 0x08 ? message.get() & 0x7f : 0;
    }
}
