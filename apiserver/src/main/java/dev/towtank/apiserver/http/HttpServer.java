package dev.towtank.apiserver.http;

import dev.towtank.apiserver.view.Frames;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MimeTypes;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// Serves the API over HTTP/1.1 and HTTP/2 with TLS.
public final class HttpServer implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(HttpServer.class.getName());
    private static final int ACCEPT_QUEUE = 4096;
    private static final int HEADER_BYTES = 64 * 1024;
    /// Every watch is a stream, and clients put all of theirs on one connection.
    private static final int STREAMS_PER_CONNECTION = 10_000;
    /// Resets, pings and such per second and connection; a client that stops all its watches resets many streams.
    private static final int CONTROL_EVENTS = 12_000;
    private static final int THREADS = 200;
    private static final int MOST_SELECTORS = 8;
    private static final String POINTERS_PER_CACHE_LINE = "org.eclipse.jetty.util.referencesPerCacheLine";
    /// In milliseconds, once all requests are answered.
    private static final long IDLE_WHEN_STOPPING = 100;

    /// On long lists encryption is most of the work, and 128 bits are as safe as they are fast.
    private static final Comparator<String> QUICKEST_FIRST =
            Comparator.comparing((String cipher) -> !cipher.contains("AES_128_GCM"));

    private final Options options;
    private final Server server;
    private final ServerConnector connector;
    private final SslContextFactory.Server ssl = new SslContextFactory.Server();
    private final InFlight inFlight = new InFlight();
    private final Deadlines deadlines;
    private final Watches watches;
    private final PodConnections connections;
    private final ExecutorService mayBlock = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("request-", 0).factory());
    private final Labour labour = Labour.ofThisMachine();

    static {
        // Jetty would otherwise start all of JMX to ask the JVM whether pointers are compressed, as they are.
        if (System.getProperty(POINTERS_PER_CACHE_LINE) == null) {
            System.setProperty(POINTERS_PER_CACHE_LINE, "16");
        }
    }

    /// Loads what takes longest to load, for a start that has something else to do meanwhile.
    public static void warmUp() {
        var _ = new QueuedThreadPool(THREADS);
        var _ = MimeTypes.DEFAULTS;
    }

    /// @param certificates what to prove itself with; asked again every hour, so that it may be renewed in time
    /// @param clock by which objects have their age
    /// @param machine by which requests take too long: time on the network cannot be moved ahead
    public HttpServer(
            Options options, Supplier<Tls> certificates, Backend backend, InstantSource clock, InstantSource machine) {
        this.options = options;
        var threads = new QueuedThreadPool(THREADS);
        threads.setName("http");
        server = new Server(threads);
        deadlines = new Deadlines(machine, options.tick());
        var pump = new Pump(threads, Runtime.getRuntime().availableProcessors());
        watches = new Watches(
                new WatchReply.Shared(
                        new Frames(),
                        pump,
                        deadlines,
                        backend.metrics(),
                        clock,
                        options.bookmarkEvery(),
                        options.slowReader()),
                options.watchTimeout());
        connections = new PodConnections(backend.pods(), server, mayBlock);
        var tls = certificates.get();
        connector = connector(tls);
        deadlines.add(new CertificateRenewal(certificates, tls, machine.instant(), this::renew, mayBlock));
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(options.connections(), connector));
        server.setErrorHandler(new ProtocolErrors());
        server.setStopTimeout(IDLE_WHEN_STOPPING * 10);
        server.setHandler(handler(backend, clock));
    }

    private ApiHandler handler(Backend backend, InstantSource clock) {
        var limits = new Limits(options);
        backend.metrics()
                .gauge(
                        "apiserver_current_inflight_requests",
                        "Requests under way, without long-running ones.",
                        "request_kind",
                        "readOnly",
                        () -> limits.readOnly().current(),
                        "mutating",
                        () -> limits.mutating().current());
        backend.metrics()
                .gauge(
                        "apiserver_longrunning_requests",
                        "Watches and other long-running requests.",
                        () -> limits.longRunning().current());
        var shutdown = new Health.Check(
                "shutdown",
                () -> inFlight.isStopping() ? Optional.of("the process is shutting down") : Optional.empty());
        var paths = new PathEndpoints(backend, backend.health().withReady(shutdown), clock);
        return new ApiHandler(
                backend,
                options,
                clock,
                paths,
                limits,
                inFlight,
                watches,
                connections,
                deadlines,
                server.getThreadPool(),
                mayBlock,
                labour);
    }

    private ServerConnector connector(Tls tls) {
        use(tls);
        var http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEADER_BYTES);
        // RequestPath judges paths, and some that Jetty would refuse are ours to pass on.
        http.setUriCompliance(UriCompliance.UNSAFE);
        var http2 = new HTTP2ServerConnectionFactory(http);
        http2.setMaxConcurrentStreams(STREAMS_PER_CONNECTION);
        http2.setRateControlFactory(new WindowRateControl.Factory(CONTROL_EVENTS));
        var alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(HttpVersion.HTTP_1_1.asString());
        var secure = new SslConnectionFactory(ssl, alpn.getProtocol());
        // It would refuse names that are not in the certificate, which clients with a tunnel or proxy use.
        secure.setEnsureSecureRequestCustomizer(false);
        int selectors = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_SELECTORS);
        var made = new ServerConnector(
                server, null, null, null, 1, selectors, secure, alpn, http2, new HttpConnectionFactory(http));
        made.setHost(options.host());
        made.setPort(options.port());
        made.setAcceptQueueSize(ACCEPT_QUEUE);
        made.setIdleTimeout(options.idleTimeout().toMillis());
        made.setShutdownIdleTimeout(IDLE_WHEN_STOPPING);
        made.addBean(new SlowHeaders(deadlines, options.headerTimeout()));
        return made;
    }

    private void use(Tls tls) {
        ssl.setKeyStore(tls.keyStore());
        ssl.setKeyStorePassword(Tls.PASSWORD);
        ssl.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        ssl.setCipherComparator(QUICKEST_FIRST);
        ssl.setUseCipherSuitesOrder(true);
        if (!tls.clientAuthorities().isEmpty()) {
            ssl.setTrustStore(tls.trustStore());
            ssl.setWantClientAuth(true);
        }
    }

    // New connections see the other certificate; open ones go on.
    private void renew(Tls tls) {
        try {
            ssl.reload(_ -> use(tls));
        } catch (Exception e) {
            throw new IllegalArgumentException("the new certificate cannot be used: " + e.getMessage(), e);
        }
    }

    /// Serves what comes to a socket that listens already; its clients may be waiting.
    ///
    /// @param listening in blocking mode; closed with this server
    public void start(ServerSocketChannel listening) throws IOException {
        connector.open(listening);
        start();
    }

    /// @throws IOException when the address cannot be bound
    public void start() throws IOException {
        try {
            server.start();
        } catch (IOException e) {
            close();
            throw new IOException(
                    "cannot listen on " + options.host() + ":" + options.port() + ": " + e.getMessage()
                            + "; stop what listens there or choose another port",
                    e);
        } catch (Exception e) {
            close();
            throw new IllegalStateException("the HTTP server does not start", e);
        }
        deadlines.start(connector.getScheduler());
    }

    /// The port that clients connect to.
    public int port() {
        return connector.getLocalPort();
    }

    /// How many watches are open.
    public int watches() {
        return watches.size();
    }

    /// Ends all watches, takes no new requests, and waits a while for those under way.
    @Override
    public void close() {
        inFlight.stop();
        watches.stop();
        connections.stop();
        connector.close();
        if (server.isRunning() && !inFlight.awaitNone(options.drain())) {
            LOG.log(System.Logger.Level.WARNING, "stopped before all requests were answered");
        }
        try {
            server.stop();
        } catch (Exception e) {
            LOG.log(System.Logger.Level.WARNING, "the HTTP server did not stop in good order", e);
        }
        deadlines.stop();
        // Not waited for: what hangs has had its time.
        mayBlock.shutdown();
        labour.close();
    }
}
