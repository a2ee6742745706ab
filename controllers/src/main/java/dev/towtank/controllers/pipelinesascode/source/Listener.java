package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.web.BodyRoom;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebHandler;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.events.Payloads;
import dev.towtank.controllers.pipelinesascode.matching.EventGlobs;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Answers forges. What an event comes to happens behind the answer, as they do not wait long.
public final class Listener implements WebHandler {

    public static final String PREFIX = "/pipelines-as-code";
    static final long LARGEST = 25L << 20;

    /// Whoever finds the address may send, so no more than two of the largest at once.
    static final long ROOM = 2 * LARGEST;

    private final Cache repositories;
    private final Configuration configuration;
    private final EventQueue queue;
    private final Deliveries deliveries = new Deliveries();
    private final BodyRoom room = new BodyRoom(ROOM, LARGEST);

    public Listener(Cache repositories, Configuration configuration, EventQueue queue) {
        this.repositories = repositories;
        this.configuration = configuration;
        this.queue = queue;
    }

    public Endpoint endpoint() {
        return new Endpoint(PREFIX, Endpoint.Access.OPEN, LARGEST, this);
    }

    @Override
    public WebResponse handle(WebRequest request) throws IOException {
        var path = request.path()
                .substring(Math.min(request.path().length(), request.path().indexOf(PREFIX) + PREFIX.length()));
        if (path.equals("/live")) {
            return WebResponse.text(200, "ok");
        }
        if (!request.method().equals("POST") && !path.startsWith("/incoming")) {
            return answer(200, "ok");
        }
        if (configuration.settings().isOff()) {
            return answer(503, "Pipelines-as-Code is switched off by the TektonConfig");
        }
        var taken = room.take(request);
        if (taken.isEmpty()) {
            return BodyRoom.full();
        }
        try (var _ = taken.get()) {
            return posted(path, request);
        }
    }

    private WebResponse posted(String path, WebRequest request) throws IOException {
        var bytes = request.readBody();
        var headers = headers(request);
        if (path.startsWith("/incoming")) {
            return incoming(request, bytes, headers);
        }
        Json.Obj body;
        try {
            body = JsonText.parseObject(bytes);
        } catch (JsonText.Malformed e) {
            return WebResponse.empty(400);
        }
        return event(body, bytes, headers);
    }

    private static WebResponse full() {
        return answer(503, "too many events").with("Retry-After", "1");
    }

    private static Map<String, String> headers(WebRequest request) {
        var headers = new HashMap<String, String>();
        request.headers().forEach((name, values) -> {
            if (!values.isEmpty()) {
                headers.put(name, values.getFirst());
            }
        });
        return headers;
    }

    private static WebResponse answer(int status, String message) {
        return WebResponse.json(status, Json.Obj.of("status", Json.of(status), "message", Json.of(message)));
    }

    private WebResponse event(Json.Obj body, byte[] bytes, Map<String, String> headers) {
        var forge = Payloads.forge(headers);
        if (forge.isEmpty()) {
            return answer(
                    200,
                    headers.containsKey("x-event-key")
                            ? "skipping non supported event: Bitbucket is not supported"
                            : "skipping non supported event: no supported Git provider has been detected");
        }
        try {
            var event = Payloads.read(forge.get(), body, headers);
            var repository = repository(event.url());
            if (repository.isEmpty()) {
                return answer(202, "accepted");
            }
            // Here, and not behind the answer: who cannot sign learns that, and costs nothing more.
            var secret = configuration.webhookSecret(configuration.filled(repository.get()));
            if (!Signatures.isRight(forge.get(), headers, bytes, secret.orElse(""))) {
                queue.refused(repository.get(), "payload validation failed: the signature is missing or wrong");
                return answer(202, "accepted");
            }
            if (!deliveries.isNew(headers)) {
                return answer(202, "accepted: this delivery was seen before");
            }
            if (!queue.add(repository.get(), event)) {
                deliveries.forget(headers);
                return full();
            }
            return answer(202, "accepted");
        } catch (Payloads.Unsupported e) {
            return answer(200, e.text());
        }
    }

    /// The oldest that is about this address.
    private Optional<Resource> repository(String url) {
        return repositories.list().stream()
                .filter(each -> each.cluster().equals(LogicalCluster.DEFAULT))
                .filter(each -> trimmed(each.spec().string("url")).equals(trimmed(url)))
                .min(Comparator.comparing(each -> each.metadata().string("creationTimestamp")));
    }

    private static String trimmed(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private WebResponse incoming(WebRequest request, byte[] bytes, Map<String, String> headers) {
        Json.Obj body = Json.Obj.EMPTY;
        if (bytes.length > 0) {
            try {
                body = JsonText.parseObject(bytes);
            } catch (JsonText.Malformed e) {
                return answer(400, "invalid JSON body for incoming webhook: " + e.getMessage());
            }
        }
        var asked = new HashMap<String, String>();
        for (var field : List.of("repository", "branch", "pipelinerun", "secret", "namespace")) {
            var value = body.string(field);
            asked.put(field, value.isEmpty() ? request.parameter(field) : value);
        }
        var missing = new ArrayList<String>();
        for (var field : List.of("repository", "branch", "pipelinerun", "secret")) {
            if (asked.getOrDefault(field, "").isEmpty()) {
                missing.add(field);
            }
        }
        return missing.isEmpty()
                ? incoming(asked, body, headers)
                : answer(400, "missing required fields: [" + String.join(" ", missing) + "]");
    }

    private WebResponse incoming(Map<String, String> asked, Json.Obj body, Map<String, String> headers) {
        var found = repositories.list().stream()
                .filter(each -> each.cluster().equals(LogicalCluster.DEFAULT))
                .filter(each -> each.name().equals(asked.get("repository")))
                .filter(each -> asked.getOrDefault("namespace", "").isEmpty()
                        || each.namespace().equals(asked.get("namespace")))
                .map(configuration::filled)
                .toList();
        if (found.size() > 1) {
            return answer(400, "missing required fields: [namespace]");
        }
        var branch = asked.getOrDefault("branch", "");
        var hook = found.stream()
                .flatMap(each -> each.spec().objects("incoming").stream())
                .filter(each -> each.array("targets").strings().stream().anyMatch(glob -> isTarget(glob, branch)))
                .findFirst();
        // Who does not know the secret does not learn which repositories there are.
        var secret = hook.flatMap(rule -> configuration.secret(found.getFirst(), rule.object("secret"), "secret"));
        if (secret.isEmpty() || !Signatures.isSame(secret.get(), asked.getOrDefault("secret", ""))) {
            return configuration.settings().hidesWrongSecrets()
                    ? WebResponse.empty(200)
                    : answer(401, "the secret is wrong, or nothing may be started there");
        }
        for (var param : body.object("params").keys()) {
            if (!hook.orElseThrow().array("params").strings().contains(param)) {
                return answer(400, "param " + param + " is not allowed in incoming webhook CR");
            }
        }
        return started(found.getFirst(), asked, body, headers);
    }

    private WebResponse started(
            Resource repository, Map<String, String> asked, Json.Obj body, Map<String, String> headers) {
        // Without a provider it is the GitHub App's.
        var forge = forge(Configuration.key(repository.spec().string("git_provider", "type"), "github"));
        if (forge.isEmpty()) {
            return answer(400, "git_provider.type of the Repository must be github, gitea, forgejo or gitlab");
        }
        var event = GitEvent.of(forge.get(), body, headers);
        var url = trimmed(repository.spec().string("url"));
        int slash = url.lastIndexOf('/');
        event.url = url;
        event.baseUrl = url;
        event.headUrl = url;
        event.name = url.substring(slash + 1);
        var owner = url.substring(0, Math.max(0, slash)).replaceFirst("^https?://[^/]+/?", "");
        event.owner = owner;
        event.type = GitEvent.INCOMING;
        event.base = asked.getOrDefault("branch", "");
        event.head = event.base;
        event.sender = GitEvent.INCOMING;
        event.wanted = Optional.ofNullable(asked.get("pipelinerun"));
        return queue.add(repository, event.build()) ? answer(202, "accepted") : full();
    }

    static Optional<GitEvent.Forge> forge(String type) {
        return switch (type) {
            case "github", "" -> Optional.of(GitEvent.Forge.GITHUB);
            case "gitea", "forgejo" -> Optional.of(GitEvent.Forge.GITEA);
            case "gitlab" -> Optional.of(GitEvent.Forge.GITLAB);
            default -> Optional.empty();
        };
    }

    private static boolean isTarget(String glob, String branch) {
        try {
            return EventGlobs.matches(glob, branch);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
