package dev.towtank.controllers.triggers.source;

import dev.towtank.controllers.triggers.events.Event;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Tells the address in `cloudEventURI` what a listener does with an event. Whoever cannot be reached is not waited
/// for.
final class CloudEvents {

    private static final System.Logger LOG = System.getLogger(CloudEvents.class.getName());
    private static final String TYPE = "dev.tekton.event.triggers.";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /// More than this are not on their way at once; what is told then is lost.
    private static final int AT_ONCE = 64;

    /// What upstream sends along and nobody but the sender should know.
    private static final Set<String> SECRET =
            Set.of("Authorization", "Cookie", "Proxy-Authorization", "X-Gitlab-Token", "X-Secret-Token");

    private final Supplier<HttpClient> client;
    private final ExecutorService workers;
    private final Semaphore room = new Semaphore(AT_ONCE);

    CloudEvents(Supplier<HttpClient> client, ExecutorService workers) {
        this.client = client;
        this.workers = workers;
    }

    /// @param what `started`, `successful`, `failed` or `done`
    void tell(Resource listener, Event event, String what) {
        var target = listener.spec().string("cloudEventURI");
        if (target.isEmpty() || !room.tryAcquire()) {
            return;
        }
        workers.execute(() -> {
            try {
                send(target, listener, event, what);
            } catch (IOException | IllegalArgumentException e) {
                LOG.log(Level.DEBUG, "cloudEventURI of {0} takes nothing: {1}", listener.describe(), e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the server ends
            } finally {
                room.release();
            }
        });
    }

    private void send(String target, Resource listener, Event event, String what)
            throws IOException, InterruptedException {
        var headers = Json.Obj.builder();
        event.headers().lists().forEach((name, values) -> {
            if (!SECRET.contains(name)) {
                headers.put(name, values);
            }
        });
        var request = HttpRequest.newBuilder(URI.create(target))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header("ce-specversion", "1.0")
                .header("ce-id", event.id())
                .header("ce-type", TYPE + what + ".v1")
                .header(
                        "ce-source",
                        "/apis/triggers.tekton.dev/v1beta1/namespaces/" + listener.namespace() + "/EventListener/"
                                + listener.name())
                .header("ce-subject", listener.name() + " processing " + event.id())
                .POST(HttpRequest.BodyPublishers.ofByteArray(JsonText.bytes(headers.build())))
                .build();
        client.get().send(request, HttpResponse.BodyHandlers.discarding());
    }

    /// Whether an event is one of these itself, in either form.
    static boolean isOne(Event event) {
        return !event.headers().first("Ce-Specversion").isEmpty()
                || event.headers().first("Content-Type").startsWith("application/cloudevents+json");
    }
}
