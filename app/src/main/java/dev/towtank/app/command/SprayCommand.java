package dev.towtank.app.command;

import dev.towtank.apiserver.http.WebPorts;
import dev.towtank.apiserver.metrics.ServerMetrics;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Logging;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.cluster.web.PemTls;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.spray.source.Backends;
import dev.towtank.controllers.spray.source.Redelivery;
import dev.towtank.controllers.spray.source.Sender;
import dev.towtank.controllers.spray.source.SprayProxy;
import dev.towtank.controllers.spray.source.SprayQueue;
import dev.towtank.model.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// One address for a forge's events, many servers that get them.
@Command(
        name = "spray",
        description = {
            "Gives every event of a forge to several servers, and keeps what one of them could not take.",
            "For example: 'GH_APP_WEBHOOK_SECRET=… spray --backend https://laptop:6443/pipelines-as-code --backend https://team'."
        },
        sortOptions = false)
final class SprayCommand implements Callable<Integer> {

    private static final String SECRET = "GH_APP_WEBHOOK_SECRET";
    private static final String TOKEN = "SPRAYPROXY_BACKENDS_TOKEN";
    private static final long LARGEST_BODY = 25L << 20;
    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(15);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);
    private static final long QUEUE_BYTES = 1L << 30;

    private final Surroundings surroundings;

    @Option(
            names = "--backend",
            paramLabel = "URL",
            description = "A server that gets all events. May be given several times.")
    private List<String> backends = new ArrayList<>();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Where it listens on the loopback address (default: ${DEFAULT-VALUE}; 0: any free one).")
    private int port;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            defaultValue = "9090",
            description =
                    "Where /metrics and /backends, with the results of each, are (default: ${DEFAULT-VALUE}; 0: any free one).")
    private int metricsPort;

    @Option(
            names = "--insecure-skip-webhook-verify",
            description = "Takes events that nobody has signed. Everybody who reaches the port can send them.")
    private boolean unsigned;

    @Option(
            names = "--enable-dynamic-backends",
            description =
                    "Backends may come and go by POST and DELETE to /backends, with the token in $$" + TOKEN + ".")
    private boolean dynamic;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Whose certificates backends may show, in PEM (default: those that Java trusts).")
    private @Nullable Path authority;

    @Option(
            names = "--queue",
            paramLabel = "N",
            defaultValue = "10000",
            description = "How many events may wait on the disk for backends that do not answer (default:"
                    + " ${DEFAULT-VALUE}; 0: none, and the forge hears of it).")
    private int queued;

    @Option(
            names = "--keep",
            paramLabel = "TIME",
            defaultValue = "24h",
            description = "How long an event is worth sending again (default: ${DEFAULT-VALUE}).")
    private String keep = "24h";

    @Mixin
    private final DataOption data = new DataOption();

    SprayCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        Logging.configure();
        var metrics = new ServerMetrics();
        try (var sender = new Sender(tls(), patience(), metrics, surroundings.clock());
                var ports = new WebPorts(_ -> {
                    throw new IllegalStateException("it speaks plain HTTP");
                })) {
            var known = known();
            var queue = queue();
            var settings = new SprayProxy.Settings(secret(), token(), largestBody());
            var proxy = new SprayProxy(known, queue, sender, settings, metrics);
            var redelivery =
                    queue.map(waiting -> new Redelivery(waiting, known, sender, time("--keep", keep), metrics));
            open(ports, proxy, metrics, settings.largestBody());
            serve(redelivery);
            return ExitCode.OK;
        } catch (IOException e) {
            throw new Failure("spray cannot start: " + e.getMessage(), e);
        }
    }

    private Backends known() {
        if (backends.isEmpty() && !dynamic) {
            throw new Failure("Nobody would get the events: name a server with --backend URL.");
        }
        var known = new Backends();
        try {
            backends.forEach(known::add);
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()), e);
        }
        return known;
    }

    private Optional<SprayQueue> queue() throws IOException {
        if (queued <= 0) {
            return Optional.empty();
        }
        var directory = data.resolve(surroundings);
        directory.make();
        return Optional.of(new SprayQueue(directory.root().resolve("spray"), queued, QUEUE_BYTES));
    }

    private Optional<String> secret() {
        var said = surroundings.environment().getOrDefault(SECRET, "");
        if (said.isEmpty() && !unsigned) {
            throw new Failure("no webhook secret: put the secret of the forge's webhook into " + SECRET
                    + ", or take events that nobody has signed with --insecure-skip-webhook-verify.");
        }
        return unsigned ? Optional.empty() : Optional.of(said);
    }

    private Optional<String> token() {
        var said = surroundings.environment().getOrDefault(TOKEN, "");
        if (dynamic && said.isEmpty()) {
            throw new Failure(
                    "--enable-dynamic-backends lets who knows a token send all events elsewhere: put one into " + TOKEN
                            + ".");
        }
        return dynamic ? Optional.of(said) : Optional.empty();
    }

    private long largestBody() {
        var said = surroundings.environment().getOrDefault("SPRAYPROXY_MAX_REQUEST_SIZE", "");
        return said.matches("[1-9][0-9]{0,8}") ? Long.parseLong(said) : LARGEST_BODY;
    }

    private Duration patience() {
        var said = surroundings.environment().getOrDefault("SPRAYPROXY_FORWARDING_REQUEST_TIMEOUT", "");
        return said.isEmpty() ? USUAL_PATIENCE : time("SPRAYPROXY_FORWARDING_REQUEST_TIMEOUT", said);
    }

    private static Duration time(String name, String text) {
        try {
            return Durations.parse(text);
        } catch (Durations.Malformed e) {
            throw new Failure(name + " " + text + " is no time: write 15s, 10m or 24h.", e);
        }
    }

    private SSLContext tls() throws IOException {
        return authority == null
                ? PemTls.context(Optional.empty(), Optional.empty(), Optional.empty())
                : PemTls.trusting(Files.readString(authority));
    }

    private void open(WebPorts ports, SprayProxy proxy, ServerMetrics metrics, long largest) throws IOException {
        var longest = patience().plusSeconds(10);
        var door = ports.open(WebDoor.Port.plain("spray", proxy)
                .withNumber(port)
                .withLargestBody(largest)
                .withTimeout(longest));
        var shown = ports.open(WebDoor.Port.plain("spray-metrics", request -> switch (request.path()) {
                    case "/metrics" -> WebResponse.of(200, ServerMetrics.CONTENT_TYPE, metrics.text());
                    case "/backends" -> proxy.results();
                    default -> WebResponse.text(404, "404 page not found");
                })
                .withNumber(metricsPort));
        surroundings
                .text()
                .println("Events at http://127.0.0.1:" + door.port() + " go to " + String.join(", ", backends)
                        + "; http://127.0.0.1:" + shown.port() + "/backends tells how that went.");
        surroundings.text().flush();
    }

    private void serve(Optional<Redelivery> redelivery) throws InterruptedException {
        var ended = new CountDownLatch(1);
        var worker =
                redelivery.map(work -> Thread.ofVirtual().name("spray again").start(() -> again(work, ended)));
        surroundings.stop().await();
        ended.countDown();
        if (worker.isPresent()) {
            worker.get().interrupt();
            worker.get().join();
        }
    }

    private void again(Redelivery work, CountDownLatch ended) {
        try {
            while (!ended.await(BETWEEN_TRIES.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    work.step();
                } catch (IOException e) {
                    surroundings.err().println("the queue cannot be used: " + e.getMessage());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
