package dev.towtank.controllers.serving.source;

import dev.towtank.cluster.Outside;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/// Asks a pod whether another file lies in the place of the one that it has loaded: which, or an empty text.
public final class ModelFiles implements Outside.Reader<Routes.Target, String>, AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LARGEST = 64 << 10;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    private final PodAccess pods;

    public ModelFiles(PodAccess pods) {
        this.pods = pods;
    }

    @Override
    public String read(Routes.Target target) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(
                        URI.create("http://" + pods.authority(target.host(), target.port()) + "/internal/file"))
                .timeout(PATIENCE)
                .build();
        var answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (var in = answer.body()) {
            if (answer.statusCode() != 200) {
                throw new IOException("pod " + target.pod() + " does not tell which file it has loaded");
            }
            var file = JsonText.parseObject(in.readNBytes(LARGEST));
            return file.string("now").equals(file.string("loaded")) ? "" : file.string("now");
        } catch (JsonText.Malformed e) {
            throw new IOException("what pod " + target.pod() + " tells about its file is no JSON", e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
