package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Notes;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.auth.Authorizer;
import dev.towtank.apiserver.auth.Forbidden;
import dev.towtank.apiserver.auth.OpenIdDiscovery;
import dev.towtank.apiserver.http.Callers.Caller;
import dev.towtank.apiserver.metrics.ServerMetrics;
import dev.towtank.apiserver.view.Accept;
import dev.towtank.apiserver.view.Discovery;
import dev.towtank.apiserver.view.Form;
import dev.towtank.apiserver.view.Payload;
import dev.towtank.apiserver.view.Rendering;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Schemas;
import dev.towtank.model.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/// Everything that is no resource: health, version, metrics, discovery, OpenAPI, and the index of them.
final class PathEndpoints {

    private static final Set<String> HEALTH = Set.of("healthz", "livez", "readyz");
    private static final String TEXT = "text/plain; charset=utf-8";

    private final Backend backend;
    private final Health health;
    private final InstantSource clock;

    PathEndpoints(Backend backend, Health health, InstantSource clock) {
        this.backend = backend;
        this.health = health;
        this.clock = clock;
    }

    /// Open to everybody, without credentials: who looks after the process has none.
    boolean isOpen(RequestPath path) {
        return !path.segments().isEmpty()
                && (HEALTH.contains(path.segments().getFirst()) || path.text().equals("/version"));
    }

    /// Which feature answers here, if any.
    Optional<Endpoint> feature(RequestPath path) {
        if (path.startsWith("api") || (path.startsWith("apis") && !isGroupOfFeature(path))) {
            return Optional.empty(); // most requests, and hardly one of them is a feature's
        }
        var text = path.text();
        return backend.endpoints().get().stream()
                .filter(endpoint -> endpoint.covers(text))
                .findFirst();
    }

    /// Whether a whole group of the API is a feature's own: what it answers there are no objects of the store.
    private boolean isGroupOfFeature(RequestPath path) {
        if (path.segments().size() < 2) {
            return false;
        }
        var group = path.segments().get(1);
        for (var endpoint : backend.endpoints().get()) {
            if (endpoint.isOfGroup(group)) {
                return true;
            }
        }
        return false;
    }

    /// Blocks until the client has its answer.
    void serveFeature(Endpoint endpoint, Optional<Caller> caller, Route.OnPath route, Reply reply, Notes notes) {
        if (endpoint.access() == Endpoint.Access.AUTHORIZED) {
            authorize(caller.orElseThrow(), route, notes);
        }
        var who = caller.map(each -> new WebRequest.Caller(
                each.user().name(), List.copyOf(each.user().groups()), each.cluster()));
        var request = WebAnswers.request(reply.request(), reply.reception(), route.path(), endpoint.largestBody(), who);
        var answer = WebAnswers.answer(endpoint.handler(), request);
        if (!reply.begin(answer.status())) {
            return;
        }
        try {
            WebAnswers.send(
                    answer, reply.response(), !reply.request().getMethod().equals("HEAD"));
            reply.end().succeeded();
        } catch (IOException | UncheckedIOException e) {
            reply.end().failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reply.end().failed(e);
        }
    }

    void serveOpen(RequestPath path, Params params, Reply reply) {
        requireRead(reply.request());
        if (path.startsWith("version")) {
            document(KubernetesVersion.json(), Form.JSON.withPretty(true), reply);
            return;
        }
        var result = HealthReport.of(health, path.segments(), params);
        reply.headers().put("X-Content-Type-Options", "nosniff");
        reply.send(result.code(), TEXT, Payload.of(result.text()), List.of());
    }

    void serve(Caller caller, Route.OnPath route, Params params, Reply reply, Notes notes) {
        authorize(caller, route, notes);
        requireRead(reply.request());
        if (route.segments().isEmpty()) {
            document(index(caller), Form.JSON.withPretty(true), reply);
            return;
        }
        switch (route.segments().getFirst()) {
            case "metrics" -> metrics(caller, reply);
            case "api", "apis" -> discovery(caller, route, params, reply);
            case "openapi" -> openapi(caller, route, reply);
            case ".well-known", "openid" -> openId(route, reply);
            default -> throw NotServed.page();
        }
    }

    /// They tell of the whole process, so of every logical cluster: only who is in the default one may know.
    private void metrics(Caller caller, Reply reply) {
        requireDefaultCluster(caller);
        reply.send(200, ServerMetrics.CONTENT_TYPE, Payload.of(backend.metrics().text()), List.of());
    }

    private static void requireDefaultCluster(Caller caller) {
        if (!caller.cluster().equals(LogicalCluster.DEFAULT)) {
            throw NotServed.error();
        }
    }

    private void authorize(Caller caller, Route.OnPath route, Notes notes) {
        var attempt = new Authorizer.OnPath(caller.user(), caller.cluster(), route.verb(), route.path());
        var decision = backend.authorizer().decide(attempt);
        decision.note(notes);
        if (!decision.allowed()) {
            throw Forbidden.error(attempt, decision.reason());
        }
    }

    private static void requireRead(Request request) {
        if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            throw NotServed.method();
        }
    }

    private void discovery(Caller caller, Route.OnPath route, Params params, Reply reply) {
        var offer = route.segments().size() == 1 ? Accept.Offer.DISCOVERY : Accept.Offer.OBJECTS_ONLY;
        var form = Accept.choose(reply.header(HttpHeader.ACCEPT), offer);
        reply.speak(form.withPretty(form.pretty() || ApiHandler.wantsPretty(reply, params)));
        var discovery = new Discovery(backend.catalog().served(caller.cluster()));
        var document = discovery
                .find(route.segments(), reply.form(), address(reply.request()))
                .orElseThrow(() -> isOfBuiltinGroup(route.segments()) ? NotServed.error() : NotServed.page());
        if (form.shape() == Form.Shape.DISCOVERY) {
            var payload = render(reply.form(), document);
            // Clients tell by these parameters which of the two kinds of document they got.
            var type = form.format().mediaType() + ";g=apidiscovery.k8s.io;v=" + form.version()
                    + ";as=APIGroupDiscoveryList";
            withEtag(hash(payload), type, payload, reply);
        } else {
            document(document, reply.form(), reply);
        }
    }

    private static boolean isOfBuiltinGroup(List<String> segments) {
        return segments.getFirst().equals("api")
                || (segments.size() > 1 && Schemas.builtin().isGroup(segments.get(1)));
    }

    private void openapi(Caller caller, Route.OnPath route, Reply reply) {
        var document = backend.documents()
                .find(caller.cluster(), route.path(), reply.header(HttpHeader.ACCEPT))
                .orElseThrow(NotServed::page);
        withEtag(document.etag(), document.contentType(), Payload.of(document.bytes()), reply);
    }

    private void openId(Route.OnPath route, Reply reply) {
        switch (route.path()) {
            case OpenIdDiscovery.CONFIGURATION_PATH -> {
                var configuration = backend.openId().configuration("https://" + address(reply.request()));
                cached(OpenIdDiscovery.CONFIGURATION_TYPE, configuration, reply);
            }
            case OpenIdDiscovery.KEYS_PATH ->
                cached(OpenIdDiscovery.KEYS_TYPE, backend.openId().keySet(), reply);
            default -> throw NotServed.error();
        }
    }

    private static void cached(String contentType, Json.Obj document, Reply reply) {
        reply.headers().put(HttpHeader.CACHE_CONTROL, OpenIdDiscovery.CACHING);
        reply.send(200, contentType, Payload.of(JsonText.bytes(document)), List.of());
    }

    private static void withEtag(String etag, String contentType, Payload payload, Reply reply) {
        var quoted = "\"" + etag + "\"";
        reply.headers().put(HttpHeader.ETAG, quoted).add(HttpHeader.VARY, "Accept");
        if (reply.header(HttpHeader.IF_NONE_MATCH).equals(quoted)) {
            reply.notModified();
        } else {
            reply.send(200, contentType, payload, List.of());
        }
    }

    private void document(Json.Obj json, Form form, Reply reply) {
        reply.send(200, form.format().mediaType(), render(form, json), List.of());
    }

    private Payload render(Form form, Json.Obj json) {
        return Rendering.of(form.plain(), Params.NONE, clock.instant()).text(json);
    }

    private Json.Obj index(Caller caller) {
        var found = new ArrayList<>(new Discovery(backend.catalog().served(caller.cluster())).paths());
        backend.endpoints().get().forEach(endpoint -> found.add(endpoint.prefix()));
        found.addAll(List.of("/metrics", "/openapi/v2", "/openapi/v3", "/version"));
        found.addAll(List.of(OpenIdDiscovery.CONFIGURATION_PATH, OpenIdDiscovery.KEYS_PATH));
        for (var endpoint : HEALTH) {
            found.add("/" + endpoint);
            health.checks(endpoint).forEach(check -> found.add("/" + endpoint + "/" + check.name()));
        }
        return Json.Obj.of(
                "paths", Json.Arr.ofStrings(found.stream().sorted().distinct().toList()));
    }

    private static String address(Request request) {
        return Request.getServerName(request) + ":" + Request.getServerPort(request);
    }

    private static String hash(Payload payload) {
        var digest = Sha256.begin();
        payload.pieces().forEach(digest::update);
        return HexFormat.of().withUpperCase().formatHex(digest.digest());
    }
}
