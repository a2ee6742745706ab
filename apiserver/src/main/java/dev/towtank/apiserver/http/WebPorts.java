package dev.towtank.apiserver.http;

import dev.towtank.cluster.web.PemTls;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.cluster.web.WebResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/// Ports of features on the loopback address, over one small server that starts with the first of them.
public final class WebPorts implements WebDoor, AutoCloseable {

    private static final System.Logger LOG = System.getLogger(WebPorts.class.getName());
    private static final String LOOPBACK = "127.0.0.1";
    private static final int THREADS = 64;
    private static final int HEADER_BYTES = 32 * 1024;
    private static final long IDLE = 60_000;
    private static final int QUEUE = 1024;
    private static final long IDLE_WHEN_STOPPING = 100;

    private final Function<List<String>, Tls> certificates;
    private final ExecutorService mayBlock = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("port-", 0).factory());
    private final Map<ServerConnector, Listening> open = new ConcurrentHashMap<>();
    private @Nullable Server server;
    private boolean closed;

    /// @param certificates what to show for these names
    public WebPorts(Function<List<String>, Tls> certificates) {
        this.certificates = certificates;
    }

    @Override
    public synchronized Open open(Port port) throws IOException {
        if (closed) {
            throw new IOException("the server is stopping");
        }
        var running = running();
        var connector = connector(running, port);
        var listening = new Listening(port, connector, new Semaphore(port.atOnce()));
        open.put(connector, listening);
        running.addConnector(connector);
        try {
            connector.start();
        } catch (Exception e) {
            open.remove(connector);
            running.removeConnector(connector);
            throw new IOException(
                    "cannot listen on " + LOOPBACK + ":" + port.number() + " for " + port.name() + ": "
                            + e.getMessage(),
                    e);
        }
        return listening;
    }

    private Server running() {
        var known = server;
        if (known != null) {
            return known;
        }
        var threads = new QueuedThreadPool(THREADS, 2);
        threads.setName("ports");
        threads.setDaemon(true);
        var made = new Server(threads);
        made.setErrorHandler(new ProtocolErrors());
        made.setStopTimeout(IDLE_WHEN_STOPPING * 10);
        made.setHandler(new Dispatcher(made));
        try {
            made.start();
        } catch (Exception e) {
            throw new IllegalStateException("the server of ports does not start", e);
        }
        server = made;
        return made;
    }

    private ServerConnector connector(Server running, Port port) throws IOException {
        var http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEADER_BYTES);
        http.setUriCompliance(UriCompliance.UNSAFE);
        // Some sign the headers that they send: they must arrive as they were written.
        http.setHeaderCacheCaseSensitive(true);
        var plain = new HttpConnectionFactory(http);
        var identity = identity(port);
        var factories = identity.map(store -> new ConnectionFactory[] {secure(store, plain), plain})
                .orElseGet(() -> new ConnectionFactory[] {plain});
        // No thread of its own that only accepts: there may be many ports.
        var connector = new ServerConnector(running, null, null, null, 0, 1, factories);
        connector.setHost(LOOPBACK);
        connector.setPort(port.number());
        // Many may come at once: those for whom there is no place in the queue would be cut off.
        connector.setAcceptQueueSize(QUEUE);
        connector.setIdleTimeout(IDLE);
        connector.setShutdownIdleTimeout(IDLE_WHEN_STOPPING);
        return connector;
    }

    private Optional<KeyStore> identity(Port port) throws IOException {
        return port.own().isPresent()
                ? Optional.of(PemTls.identity(port.own().get(), Tls.PASSWORD))
                : port.tls().map(names -> certificates.apply(names).keyStore());
    }

    private static SslConnectionFactory secure(KeyStore identity, HttpConnectionFactory plain) {
        var ssl = new SslContextFactory.Server();
        ssl.setKeyStore(identity);
        ssl.setKeyStorePassword(Tls.PASSWORD);
        ssl.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        ssl.setSniRequired(false);
        var secure = new SslConnectionFactory(ssl, plain.getProtocol());
        secure.setEnsureSecureRequestCustomizer(false);
        plain.getHttpConfiguration().addCustomizer(new org.eclipse.jetty.server.SecureRequestCustomizer(false));
        return secure;
    }

    @Override
    public void close() {
        Server running;
        synchronized (this) {
            closed = true;
            running = server;
        }
        List.copyOf(open.values()).forEach(Listening::close);
        if (running != null) {
            try {
                running.stop();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "the server of ports did not stop in good order", e);
            }
        }
        mayBlock.shutdownNow();
    }

    private final class Listening implements Open {
        private final Port port;
        private final ServerConnector connector;
        private final Semaphore room;

        Listening(Port port, ServerConnector connector, Semaphore room) {
            this.port = port;
            this.connector = connector;
            this.room = room;
        }

        @Override
        public int port() {
            return connector.getLocalPort();
        }

        @Override
        public void close() {
            open.remove(connector);
            try {
                connector.stop();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "the port of " + port.name() + " did not close in good order", e);
            }
            connector.getServer().removeConnector(connector);
        }
    }

    private final class Dispatcher extends Handler.Abstract.NonBlocking {
        private final Server running;

        Dispatcher(Server running) {
            this.running = running;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            var listening = request.getConnectionMetaData().getConnector() instanceof ServerConnector connector
                    ? open.get(connector)
                    : null;
            if (listening == null) {
                return false;
            }
            mayBlock.execute(() -> serve(listening, request, response, callback));
            return true;
        }

        private void serve(Listening listening, Request request, Response response, Callback callback) {
            if (!listening.room.tryAcquire()) {
                finish(
                        WebResponse.text(503, "too many requests are under way here; try again in a moment\n")
                                .with("Retry-After", "1"),
                        request,
                        response,
                        callback);
                return;
            }
            var deadline = new Deadline(Thread.currentThread());
            var timer = running.getScheduler()
                    .schedule(deadline::pass, listening.port.timeout().toMillis(), TimeUnit.MILLISECONDS);
            try {
                var asked = WebAnswers.request(
                        request,
                        new Reception(),
                        String.valueOf(request.getHttpURI().getPath()),
                        listening.port.largestBody(),
                        Optional.empty());
                var answer = WebAnswers.answer(listening.port.handler(), asked);
                finish(deadline.hasPassed() ? late() : answer, request, response, callback);
            } finally {
                cancel(timer);
                listening.room.release();
            }
        }

        private static void cancel(Scheduler.Task timer) {
            timer.cancel();
        }

        private static WebResponse late() {
            var _ = Thread.interrupted();
            return WebResponse.text(504, "the request took too long\n");
        }

        private static void finish(WebResponse answer, Request request, Response response, Callback callback) {
            try {
                WebAnswers.send(answer, response, !request.getMethod().equals("HEAD"));
                callback.succeeded();
            } catch (IOException | UncheckedIOException e) {
                callback.failed(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                callback.failed(e);
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "an answer could not be written", e);
                callback.failed(e);
            }
        }
    }

    /// Interrupts whoever works too long on a request.
    private static final class Deadline {
        private final Thread worker;
        private volatile boolean passed;

        Deadline(Thread worker) {
            this.worker = worker;
        }

        void pass() {
            passed = true;
            worker.interrupt();
        }

        boolean hasPassed() {
            return passed;
        }
    }
}
