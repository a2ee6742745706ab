package dev.towtank.archive.service;

import dev.towtank.cluster.Meters;
import dev.towtank.cluster.web.WebRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// Counts reads of the archive under the names that Tekton Results has for them: those of gRPC.
final class ReadMetrics {

    private static final List<Double> SECONDS = List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);
    private static final String SERVICE = "tekton.results.v1alpha2.";

    private final InstantSource clock;
    private final Meters.Count started;
    private final Meters.Count handled;
    private final Meters.Distribution times;

    ReadMetrics(Meters meters, InstantSource clock) {
        this.clock = clock;
        this.started = meters.counter(
                "grpc_server_started_total",
                "Total number of RPCs started on the server.",
                "grpc_service",
                "grpc_method");
        this.handled = meters.counter(
                "grpc_server_handled_total",
                "Total number of RPCs completed on the server.",
                "grpc_service",
                "grpc_method",
                "grpc_code");
        this.times = meters.histogram(
                "grpc_server_handling_seconds",
                "Response latency of RPCs that the server has handled.",
                SECONDS,
                "grpc_service",
                "grpc_method");
    }

    Instant begun(WebRequest request) {
        started.count(service(request), method(request));
        return clock.instant();
    }

    void handled(WebRequest request, int status, Instant begun) {
        handled.count(service(request), method(request), code(status));
        times.observe(Duration.between(begun, clock.instant()).toNanos() / 1e9, service(request), method(request));
    }

    private static String[] parts(WebRequest request) {
        return request.path().replaceFirst("^.*/parents/", "").split("/", -1);
    }

    private static String service(WebRequest request) {
        var parts = parts(request);
        return SERVICE + (parts.length > 3 && parts[3].equals("logs") ? "Logs" : "Results");
    }

    /// What it would be called over gRPC.
    private static String method(WebRequest request) {
        var parts = parts(request);
        var what = parts.length > 3 ? (parts[3].equals("logs") ? "Log" : "Record") : "Result";
        if (parts.length > 4 && parts[4].equals("summary")) {
            return "GetRecordListSummary";
        }
        return switch (request.method()) {
            case "POST" -> "Create" + what;
            case "PATCH" -> "Update" + what;
            case "DELETE" -> "Delete" + what;
            default -> parts.length % 2 == 0 ? "List" + what + "s" : "Get" + what;
        };
    }

    private static String code(int status) {
        return switch (status) {
            case 200, 201 -> "OK";
            case 400 -> "InvalidArgument";
            case 401 -> "Unauthenticated";
            case 404 -> "NotFound";
            case 409 -> "AlreadyExists";
            case 503 -> "Unavailable";
            default -> "Internal";
        };
    }
}
