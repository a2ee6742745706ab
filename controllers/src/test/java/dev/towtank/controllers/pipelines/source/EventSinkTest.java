package dev.towtank.controllers.pipelines.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.towtank.cluster.SystemTimers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventSinkTest {

    private static final EventSink.Message MESSAGE =
            new EventSink.Message("dev.tekton.event.taskrun.started.v1", "/apis/x", "a", "{\"taskRun\":{}}");

    @Test
    void sendsTheAttributesInHeadersAndTriesAgain() throws Exception {
        var requests = new AtomicInteger();
        var heard = new LinkedBlockingQueue<String>();
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var headers = exchange.getRequestHeaders();
            if (requests.incrementAndGet() == 3) {
                heard.add(String.join(
                        " ",
                        headers.getFirst("Ce-Specversion"),
                        headers.getFirst("Ce-Type"),
                        headers.getFirst("Ce-Source"),
                        headers.getFirst("Ce-Subject"),
                        headers.getFirst("Content-Type"),
                        body));
            }
            exchange.sendResponseHeaders(requests.get() < 3 ? 503 : 202, -1);
            exchange.close();
        });
        server.start();
        try (var timers = new SystemTimers();
                var sink = EventSink.over(timers)) {
            var told = new CompletableFuture<String>();
            sink.send("http://127.0.0.1:" + server.getAddress().getPort() + "/", MESSAGE, told::complete);

            assertThat(heard.poll(60, TimeUnit.SECONDS))
                    .isEqualTo("1.0 dev.tekton.event.taskrun.started.v1 /apis/x a application/json {\"taskRun\":{}}");
            assertThat(told.get(60, TimeUnit.SECONDS)).isEmpty();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void saysWhatIsWrongWithAnAddress() throws Exception {
        try (var timers = new SystemTimers();
                var sink = EventSink.over(timers)) {
            var told = new CompletableFuture<String>();
            sink.send("nowhere", MESSAGE, told::complete);

            assertThat(told.get(60, TimeUnit.SECONDS)).isEqualTo("the sink \"nowhere\" is no address of a web server");
        }
    }
}
