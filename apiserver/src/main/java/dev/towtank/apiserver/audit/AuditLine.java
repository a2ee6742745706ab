package dev.towtank.apiserver.audit;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Writes events as lines. Belongs to one thread.
final class AuditLine {

    private static final String LOST = "audit.towtank.dev/lost-events";
    private static final String CLUSTER = "audit.towtank.dev/logical-cluster";
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.").withZone(ZoneOffset.UTC);
    private static final int LONGEST_AGENT = 1024;
    /// Upstream's limit of an event; bodies that would exceed it are left out.
    private static final int LONGEST_BODY = 100 * 1024;

    private final LineBuffer out;
    private long second = Long.MIN_VALUE;
    private String secondText = "";

    AuditLine(LineBuffer out) {
        this.out = out;
    }

    void write(AuditEvent event) {
        var exchange = event.isSensitive() ? AuditEvent.Exchange.NOTHING : event.exchange();
        boolean hasBodies = !exchange.equals(AuditEvent.Exchange.NOTHING);
        head(hasBodies ? "RequestResponse" : "Metadata", event.id());
        out.member("requestURI").text(AuditUri.of(event));
        out.member("verb").text(event.verb());
        user("user", event.who().user());
        if (event.who().impersonated().isPresent()) {
            user("impersonatedUser", event.who().impersonated());
        }
        if (!event.origin().address().isEmpty()) {
            out.member("sourceIPs").raw("[").text(event.origin().address()).raw("]");
        }
        out.optional("userAgent", shortened(event.origin().agent()));
        var target = event.target();
        if (target != null) {
            objectRef(target);
        }
        status(event);
        boolean complete = !hasBodies || bodies(exchange);
        times(event.received(), event.completed());
        annotations(event.notes().all(), event.cluster(), complete);
        out.raw("}\n");
    }

    /// What stands in the log for events that are not in it.
    void writeLost(long count, String id, Instant now) {
        head("Metadata", id);
        out.member("requestURI").raw("\"\"").member("verb").raw("\"\"");
        user("user", Optional.of(User.of("system:apiserver")));
        times(now, now);
        out.member("annotations")
                .raw("{")
                .member(LOST)
                .text(Long.toString(count))
                .raw("}}\n");
    }

    private void head(String level, String id) {
        out.raw("{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"")
                .raw(level)
                .raw("\",\"auditID\":")
                .text(id)
                .raw(",\"stage\":\"ResponseComplete\"");
    }

    private void user(String member, Optional<User> user) {
        out.member(member).raw("{");
        user.ifPresent(known -> {
            out.member("username").text(known.name());
            out.optional("uid", known.uid());
            if (!known.groups().isEmpty()) {
                out.member("groups");
                strings(new TreeSet<>(known.groups()));
            }
            if (!known.extra().isEmpty()) {
                out.member("extra").raw("{");
                new TreeMap<>(known.extra()).forEach((key, values) -> {
                    out.member(key);
                    strings(values);
                });
                out.raw("}");
            }
        });
        out.raw("}");
    }

    private void strings(Collection<String> values) {
        var separator = "[";
        for (var value : values) {
            out.raw(separator).text(value);
            separator = ",";
        }
        out.raw(values.isEmpty() ? "[]" : "]");
    }

    private void objectRef(Target target) {
        out.member("objectRef").raw("{").member("resource").text(target.resource());
        out.optional("namespace", target.namespace());
        out.optional("name", target.name());
        out.optional("apiGroup", target.group());
        out.member("apiVersion").text(target.version());
        out.optional("subresource", target.subresource());
        out.raw("}");
    }

    private void status(AuditEvent event) {
        var error = event.outcome().error();
        out.member("responseStatus").raw("{\"metadata\":{}");
        if (error != null) {
            out.member("status").raw("\"Failure\"");
            // What is wrong with an object may be told by quoting it.
            if (!event.isSensitive() || (error.code() != 400 && error.code() != 422)) {
                out.member("message").text(error.text());
            }
            out.member("reason").text(error.reason().wire());
        }
        out.member("code").raw(Integer.toString(event.outcome().code())).raw("}");
    }

    /// @return whether all of it is there
    private boolean bodies(AuditEvent.Exchange exchange) {
        var response = exchange.response();
        boolean request = body("requestObject", requestJson(exchange.request()));
        return body("responseObject", response == null ? new byte[0] : singleLine(response)) && request;
    }

    private boolean body(String member, byte[] json) {
        if (json.length > LONGEST_BODY) {
            return false;
        }
        if (json.length > 0) {
            out.member(member).raw(json);
        }
        return true;
    }

    private static byte[] singleLine(Content content) {
        var bytes = content.bytes();
        if (bytes.length > LONGEST_BODY) {
            return bytes;
        }
        for (byte each : bytes) {
            if (each == '\n') {
                return JsonText.bytes(content.tree());
            }
        }
        return bytes;
    }

    // Written anew from its tree: what a client sent may be in several lines, or not JSON at all.
    private static byte[] requestJson(Body body) {
        return switch (body) {
            case Body.None _ -> new byte[0];
            case Body.Tree tree -> JsonText.bytes(tree.json());
            case Body.Text text -> text.bytes().length > LONGEST_BODY ? text.bytes() : parsed(text);
        };
    }

    private static byte[] parsed(Body.Text text) {
        try {
            Json json = text.mediaType().endsWith("yaml") ? YamlText.parse(text.bytes()) : JsonText.parse(text.bytes());
            return JsonText.bytes(json);
        } catch (JsonText.Malformed e) {
            return new byte[0];
        }
    }

    private void times(Instant received, Instant completed) {
        out.member("requestReceivedTimestamp");
        time(received);
        out.member("stageTimestamp");
        time(completed);
    }

    private void time(Instant moment) {
        if (moment.getEpochSecond() != second) {
            second = moment.getEpochSecond();
            secondText = "\"" + SECONDS.format(moment);
        }
        var micros = Integer.toString(1_000_000 + moment.getNano() / 1000);
        out.raw(secondText).raw(micros.substring(1)).raw("Z\"");
    }

    private void annotations(Map<String, String> notes, LogicalCluster cluster, boolean complete) {
        if (!complete) {
            notes.put(AuditEvent.TRUNCATED, "true");
        }
        if (!cluster.equals(LogicalCluster.DEFAULT)) {
            notes.put(CLUSTER, cluster.id());
        }
        if (notes.isEmpty()) {
            return;
        }
        out.member("annotations").raw("{");
        notes.forEach((key, value) -> out.member(key).text(value));
        out.raw("}");
    }

    private static String shortened(String agent) {
        return agent.length() > LONGEST_AGENT ? agent.substring(0, LONGEST_AGENT) + "...TRUNCATED" : agent;
    }
}
