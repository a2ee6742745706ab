package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.http.streams.PodStreams;
import dev.towtank.apiserver.http.streams.PodStreams.Exchange;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.pods.PodAccess.LogRequest;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Server;

/// Logs and streams of pods, where there is a node that has them.
final class PodConnections {

    private static final String NEGATIVE = "must be greater than or equal to 0";
    private static final String NOT_POSITIVE = "must be greater than 0";

    private final Optional<PodAccess> pods;
    private final Optional<PodStreams> streams;

    PodConnections(Optional<PodAccess> pods, Server server, Executor mayBlock) {
        this.pods = pods;
        this.streams = pods.map(access -> new PodStreams(access, server, mayBlock));
    }

    void serve(Resource pod, String subresource, Params params, Reply reply) {
        switch (subresource) {
            case "log" -> {
                var request = logRequest(pod, params);
                if (pod.spec().string("nodeName").isEmpty()) {
                    checkContainer(pod, request.container());
                    nothing(reply);
                } else {
                    log(pods.orElseThrow(PodConnections::noNode).log(pod, request), reply);
                }
            }
            case "exec", "attach", "portforward" ->
                streams.orElseThrow(PodConnections::noNode)
                        .serve(pod, subresource, params, new Exchange(reply.request(), reply.response(), reply.end()));
            default -> throw NotServed.error();
        }
    }

    void pass(Resource pod, int port, Reply reply) {
        new PodProxy(pods.orElseThrow(PodConnections::noNode)).serve(pod, port, reply);
    }

    // A pod without a node has said nothing yet.
    private static void nothing(Reply reply) {
        if (reply.begin(204)) {
            reply.end().succeeded();
        }
    }

    private static void checkContainer(Resource pod, String container) {
        boolean known = container.isEmpty()
                || Stream.of("containers", "initContainers", "ephemeralContainers")
                        .flatMap(list -> pod.spec().objects(list).stream())
                        .anyMatch(each -> each.string("name").equals(container));
        if (!known) {
            throw StatusError.badRequest("container " + container + " is not valid for pod " + pod.name());
        }
    }

    private static StatusError noNode() {
        return new StatusError(StatusError.Reason.SERVICE_UNAVAILABLE, "this server has no node that could answer");
    }

    static LogRequest logRequest(Resource pod, Params params) {
        var errors = new FieldError.Collector();
        var tail = params.number("tailLines");
        var limit = params.number("limitBytes");
        var since = params.number("sinceSeconds");
        var sinceTime = params.text("sinceTime");
        tail.filter(value -> value < 0)
                .ifPresent(value -> errors.invalid(Path.of("tailLines"), Json.of(value), NEGATIVE));
        limit.filter(value -> value < 1)
                .ifPresent(value -> errors.invalid(Path.of("limitBytes"), Json.of(value), NOT_POSITIVE));
        if (since.isPresent() && !sinceTime.isEmpty()) {
            errors.forbidden(Path.of(""), "at most one of `sinceTime` or `sinceSeconds` may be specified");
        } else {
            since.filter(value -> value < 1)
                    .ifPresent(value -> errors.invalid(Path.of("sinceSeconds"), Json.of(value), NOT_POSITIVE));
        }
        if (params.has("stream") && !params.text("stream").equals("All")) {
            errors.forbidden(Path.of("stream"), "may not be specified");
        }
        if (!errors.isEmpty()) {
            throw StatusError.invalid("", "PodLogOptions", pod.name(), errors.errors());
        }
        return new LogRequest(
                params.text("container"),
                params.flag("follow"),
                params.flag("previous"),
                params.flag("timestamps"),
                since.map(Duration::ofSeconds),
                sinceTime.isEmpty() ? Optional.empty() : Optional.of(instant(sinceTime)),
                tail.map(OptionalLong::of).orElseGet(OptionalLong::empty),
                limit.map(OptionalLong::of).orElseGet(OptionalLong::empty));
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw StatusError.badRequest("sinceTime: \"" + text + "\" is no time such as 2026-01-31T12:00:00Z");
        }
    }

    private static void log(InputStream log, Reply reply) {
        // A client that only listens is not heard going, and a quiet log has nothing to send to it.
        Disconnection.notice(reply, () -> close(log));
        if (!reply.begin(200)) {
            close(log);
            return;
        }
        reply.headers().put(HttpHeader.CONTENT_TYPE, "text/plain");
        var end = reply.end();
        try (log;
                var out = Content.Sink.asOutputStream(reply.response())) {
            var buffer = new byte[SourceWriter.BUFFER];
            for (int count = log.read(buffer); count >= 0; count = log.read(buffer)) {
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            end.failed(e);
            return;
        }
        end.succeeded();
    }

    private static void close(InputStream log) {
        try {
            log.close();
        } catch (IOException e) {
            // It is over either way.
        }
    }

    void stop() {
        streams.ifPresent(PodStreams::stop);
    }
}
