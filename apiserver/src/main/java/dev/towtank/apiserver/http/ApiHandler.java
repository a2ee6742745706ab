package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Conversion;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.auth.Impersonation;
import dev.towtank.apiserver.http.Callers.Caller;
import dev.towtank.apiserver.view.Accept;
import dev.towtank.apiserver.view.Rendering;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.model.StatusError;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// The path of a request: where it goes, who sends it, whether there is room for it, what it does, how it is
/// answered.
///
/// Authorization of resources is the registry's, which also sees callers from inside the process.
///
/// Jetty calls from the thread that reads all connections, which saves two changes of threads for each request: what
/// is
/// not done at once, like a list or a write, goes on elsewhere.
final class ApiHandler extends Handler.Abstract.NonBlocking {

    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
    private static final int MAX_AGENT = 128;

    private final Backend backend;
    private final Options options;
    private final InstantSource clock;
    private final Callers callers;
    private final PathEndpoints paths;
    private final Limits limits;
    private final InFlight inFlight;
    private final Bodies bodies;
    private final Watches watches;
    private final PodConnections connections;
    private final Deadlines deadlines;
    private final Executor threads;
    private final Executor mayBlock;
    private final Labour labour;

    /// @param threads for what takes a while, but waits for nobody
    /// @param mayBlock for what may wait
    ApiHandler(
            Backend backend,
            Options options,
            InstantSource clock,
            PathEndpoints paths,
            Limits limits,
            InFlight inFlight,
            Watches watches,
            PodConnections connections,
            Deadlines deadlines,
            Executor threads,
            Executor mayBlock,
            Labour labour) {
        this.backend = backend;
        this.options = options;
        this.clock = clock;
        this.callers = new Callers(backend.authenticator(), new Impersonation(backend.authorizer()));
        this.paths = paths;
        this.limits = limits;
        this.inFlight = inFlight;
        this.bodies = new Bodies(options.bodyBytes());
        this.watches = watches;
        this.connections = connections;
        this.deadlines = deadlines;
        this.threads = threads;
        this.mayBlock = mayBlock;
        this.labour = labour;
    }

    @Override
    public boolean handle(Request original, Response response, Callback callback) {
        var arrived = Arrived.of(original);
        var request = arrived.map(Request.class::cast).orElse(original);
        var reply = new Reply(request, response, callback);
        inFlight.enter();
        reply.whenDone(inFlight::leave);
        var trace = new Trace(backend.audit(), clock, reply);
        if (READS.contains(request.getMethod())
                || arrived.filter(Arrived::isWhole).isPresent()) {
            guarded(reply, () -> serve(request, reply, trace));
        } else {
            // The body may be long in coming, and so may the disk.
            onVirtualThread(reply, options.requestTimeout(), () -> serve(request, reply, trace));
        }
        return true;
    }

    private void serve(Request request, Reply reply, Trace trace) {
        var path = RequestPath.parse(String.valueOf(request.getHttpURI().getPath()));
        var params = Query.parse(request.getHttpURI().getQuery());
        if (paths.isOpen(path)) {
            trace.leaveOut();
            callers.checkToken(request);
            paths.serveOpen(path, params, reply);
            return;
        }
        if (inFlight.isStopping()) {
            throw new StatusError(StatusError.Reason.SERVICE_UNAVAILABLE, "the server is shutting down");
        }
        var feature = paths.feature(path);
        if (feature.isPresent()) {
            onFeature(feature.get(), request, path, reply, trace);
            return;
        }
        var caller = callers.identify(request, path, trace);
        var found = Route.of(request.getMethod(), path, params);
        trace.route(found);
        backend.api().checkAwake(caller.cluster());
        switch (found) {
            case Route.OnPath route -> elsewhere(reply, () -> paths.serve(caller, route, params, reply, trace.notes()));
            case Route.OnResource route -> onResource(caller, route, reply, trace);
        }
    }

    private void onFeature(Endpoint endpoint, Request request, RequestPath path, Reply reply, Trace trace) {
        var route = new Route.OnPath(request.getMethod().toLowerCase(Locale.ROOT), path.segments());
        trace.route(route);
        var caller = endpoint.access() == Endpoint.Access.OPEN
                ? Optional.<Caller>empty()
                : Optional.of(callers.identify(request, path, trace));
        Runnable work = () -> paths.serveFeature(endpoint, caller, route, reply, trace.notes());
        if (Thread.currentThread().isVirtual()) {
            work.run();
        } else {
            onVirtualThread(reply, options.requestTimeout(), work);
        }
    }

    private void onResource(Caller caller, Route.OnResource route, Reply reply, Trace trace) {
        if (route.verb() == Verb.WATCH && reply.header(HttpHeader.UPGRADE).equalsIgnoreCase("websocket")) {
            // Clients that try this first fall back to a plain request on this code; others would wait for ever.
            throw new StatusError(
                    StatusError.Reason.SERVICE_UNAVAILABLE,
                    "watches are not served over WebSocket; send the same request without the Upgrade header");
        }
        var offer = route.verb() == Verb.WATCH ? Accept.Offer.WATCHES : Accept.Offer.RESOURCES;
        var form = Accept.choose(reply.header(HttpHeader.ACCEPT), offer);
        reply.speak(form.withPretty(form.pretty() || wantsPretty(reply, route.params())));
        var rendering = Rendering.of(reply.form(), route.params(), clock.instant());
        var served = served(caller, route.target());
        if (served.isPresent()) {
            count(route, reply);
            var kind = served.get().kind();
            reply.alwaysWarn(kind.rules().deprecation(kind));
        }
        var exchange = new Exchange(caller, route, reply, rendering, trace);
        var counter = limits.of(route, caller.cluster());
        counter.enter(caller.isMaster());
        if (route.verb().isReadOnly()) {
            reply.whenDone(counter::leave);
            read(exchange, served);
        } else {
            write(exchange, counter);
        }
    }

    private record Exchange(Caller caller, Route.OnResource route, Reply reply, Rendering rendering, Trace trace) {}

    private void read(Exchange exchange, Optional<Catalog.Served> served) {
        var route = exchange.route;
        Runnable work = () -> carryOut(exchange, call(exchange));
        if (!route.target().subresource().isEmpty()
                || served.filter(ApiHandler::isConverted).isPresent()) {
            var timeout = route.isLongRunning() ? options.watchTimeout() : options.requestTimeout();
            onVirtualThread(exchange.reply, timeout, work);
        } else if (route.verb() == Verb.GET) {
            work.run();
        } else {
            elsewhere(exchange.reply, work);
        }
    }

    /// A write that is here as a whole is answered at once where its answer is known; all others may have to wait.
    private void write(Exchange exchange, Limits.Turn counter) {
        if (Thread.currentThread().isVirtual()) {
            counted(counter, () -> carryOut(exchange, call(exchange)));
            return;
        }
        boolean goesOn = false;
        try {
            var call = call(exchange);
            var known = Labour.isNeededFor(call.body())
                    ? Optional.<Answer>empty()
                    : backend.api().quickly(call);
            known.ifPresent(answer -> send(exchange, call.body(), answer));
            goesOn = known.isEmpty();
            if (goesOn) {
                onVirtualThread(
                        exchange.reply,
                        options.requestTimeout(),
                        () -> counted(counter, () -> carryOut(exchange, call)));
            }
        } finally {
            if (!goesOn) {
                counter.leave();
            }
        }
    }

    private static void counted(Limits.Turn counter, Runnable work) {
        try {
            work.run();
        } finally {
            counter.leave();
        }
    }

    private Optional<Catalog.Served> served(Caller caller, Target target) {
        return backend.catalog().find(caller.cluster(), target.group(), target.version(), target.resource());
    }

    /// By a webhook, perhaps, which is to be waited for.
    private static boolean isConverted(Catalog.Served served) {
        return !served.conversion().equals(Conversion.NONE);
    }

    private Call call(Exchange exchange) {
        var caller = exchange.caller;
        var route = exchange.route;
        return new Call(
                caller.user(),
                caller.cluster(),
                route.verb(),
                route.target(),
                route.params(),
                isProxied(route) ? Body.None.NONE : bodies.read(exchange.reply, route.verb()),
                agent(route.verb(), exchange.reply),
                exchange.trace.notes());
    }

    /// What is in it is for whoever it is passed on to.
    private static boolean isProxied(Route.OnResource route) {
        return route.target().subresource().equals("proxy");
    }

    private void carryOut(Exchange exchange, Call call) {
        if (Labour.isNeededFor(call.body())) {
            labour.carryOut(
                    exchange.reply,
                    () -> send(exchange, call.body(), backend.api().handle(call)));
        } else {
            send(exchange, call.body(), backend.api().handle(call));
        }
    }

    private void send(Exchange exchange, Body body, Answer answer) {
        var reply = exchange.reply;
        var route = exchange.route;
        var rendering = exchange.rendering;
        exchange.trace.exchange(route, body, answer);
        var mediaType = rendering.form().format().mediaType();
        switch (answer) {
            case Answer.One one -> reply.send(one.code(), mediaType, rendering.of(one), one.warnings());
            case Answer.Many many -> reply.send(200, mediaType, rendering.of(many), many.warnings());
            case Answer.Watching watching -> watches.open(watching, reply, rendering, route.params());
            case Answer.Connected(var pod, var _) ->
                connections.serve(pod, route.target().subresource(), route.params(), reply);
            case Answer.Proxied(var pod, var port, var _) -> connections.pass(pod, port, reply);
        }
    }

    /// The name of the client program without its version, as far as it can be printed.
    private static String agent(Verb verb, Reply reply) {
        if (verb == Verb.GET || verb == Verb.LIST || verb == Verb.WATCH) {
            return ""; // they own nothing
        }
        var header = reply.header(HttpHeader.USER_AGENT);
        int end = header.indexOf('/');
        var name = new StringBuilder();
        for (int i = 0; i < (end < 0 ? header.length() : end) && name.length() < MAX_AGENT; i++) {
            if (header.charAt(i) >= ' ' && header.charAt(i) < 0x7f) {
                name.append(header.charAt(i));
            }
        }
        return name.toString();
    }

    private void elsewhere(Reply reply, Runnable work) {
        if (Thread.currentThread().isVirtual()) {
            work.run();
        } else {
            threads.execute(() -> guarded(reply, work));
        }
    }

    private void onVirtualThread(Reply reply, Duration timeout, Runnable work) {
        reply.allowSilence();
        mayBlock.execute(new Waiting(reply, deadlines, deadlines.now().plus(timeout), () -> guarded(reply, work)));
    }

    private void guarded(Reply reply, Runnable work) {
        try {
            work.run();
        } catch (StatusError e) {
            bodies.drain(reply);
            reply.refuse(e);
        } catch (RuntimeException | StackOverflowError e) {
            reply.crash(e);
        }
    }

    /// Asked for, or wanted by the kind of client that people look at directly.
    static boolean wantsPretty(Reply reply, Params params) {
        var asked = params.text("pretty");
        if (!asked.isEmpty()) {
            return asked.equals("1") || asked.equalsIgnoreCase("true") || asked.equalsIgnoreCase("t");
        }
        var agent = reply.header(HttpHeader.USER_AGENT);
        return agent.startsWith("curl") || agent.startsWith("Wget") || agent.startsWith("Mozilla/5.0");
    }

    private void count(Route.OnResource route, Reply reply) {
        reply.whenDone(() -> backend.metrics()
                .request(
                        route.verb().toString().toUpperCase(Locale.ROOT),
                        route.target(),
                        reply.status(),
                        reply.seconds(),
                        route.isLongRunning()));
    }
}
