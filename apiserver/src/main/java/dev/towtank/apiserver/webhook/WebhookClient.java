package dev.towtank.apiserver.webhook;

import dev.towtank.apiserver.store.Store;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/// Asks a webhook. The words of a failure are those that users know from Kubernetes.
public final class WebhookClient {

    /// Connections are kept for as many webhooks as this.
    private static final int REMEMBERED = 200;

    private final ServiceEndpoints services;

    private record Peer(String authorities, String serverName) {}

    private final Map<Peer, NamedSockets> sockets = BoundedMap.byUse(REMEMBERED);

    /// @param store where services and what is behind them are found
    public WebhookClient(Store store) {
        this.services = new ServiceEndpoints(store);
    }

    /// A webhook that could not be asked, or did not answer with an object.
    public static final class Failed extends Exception {
        private static final long serialVersionUID = 1;

        public Failed(String message) {
            super(message, null, false, false);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }

    /// Sends an object and returns the one that comes back.
    ///
    /// @param cluster whose services are meant
    /// @param clientConfig as in the objects that name webhooks: `url` or `service`, and `caBundle`
    /// @param timeout for all of it
    public Json.Obj post(LogicalCluster cluster, Json.Obj clientConfig, Json.Obj body, Duration timeout) throws Failed {
        var query = "?timeout=" + timeout.toSeconds() + "s";
        var endpoint = clientConfig.has("service")
                ? services.resolve(cluster, clientConfig.object("service"), query)
                : Endpoint.of(URI.create(withPath(clientConfig.string("url")) + query));
        var exchange = new Exchange(
                endpoint, sockets(clientConfig.string("caBundle"), endpoint), JsonText.bytes(body), timeout);
        return within(timeout, exchange);
    }

    private static String withPath(String url) {
        return URI.create(url).getPath().isEmpty() ? url + "/" : url;
    }

    private NamedSockets sockets(String authorities, Endpoint endpoint) throws Failed {
        var peer = new Peer(authorities, endpoint.serverName());
        synchronized (sockets) {
            var known = sockets.get(peer);
            if (known != null) {
                return known;
            }
        }
        var made = NamedSockets.trusting(authorities, endpoint.serverName());
        synchronized (sockets) {
            var known = sockets.putIfAbsent(peer, made);
            return known == null ? made : known;
        }
    }

    // A server that sends a byte now and then never runs into the timeout of a single read.
    private static Json.Obj within(Duration timeout, Exchange exchange) throws Failed {
        var result = new AtomicReference<Json.Obj>();
        var failure = new AtomicReference<Failed>();
        var caller = Thread.ofVirtual().name("webhook").start(() -> {
            try {
                result.set(exchange.run());
            } catch (Failed e) {
                failure.set(e);
            }
        });
        try {
            if (!caller.join(timeout)) {
                exchange.abandon();
                throw exchange.failed("context deadline exceeded");
            }
        } catch (InterruptedException e) {
            exchange.abandon();
            Thread.currentThread().interrupt();
            throw exchange.failed("context canceled");
        }
        var failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        var answer = result.get();
        if (answer == null) {
            throw exchange.failed("no answer");
        }
        return answer;
    }
}
