package dev.towtank.app.client;

import com.sun.net.httpserver.HttpServer;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;

/// A server that has nothing but answers, and keeps what it was asked.
public final class FakeApi implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, String> answers = new LinkedHashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final List<String> requests = new CopyOnWriteArrayList<>();

    public FakeApi() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            var path = exchange.getRequestURI().toString();
            var sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(exchange.getRequestMethod() + " " + path + (sent.isEmpty() ? "" : " " + sent));
            var body = answers.getOrDefault(path, answers.get(path.replaceFirst("\\?.*", "")));
            var bytes = (body == null ? refusal(path) : body).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(body == null ? 404 : 200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    private static String refusal(String path) {
        return "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"message\":\"" + path + " not found\",\"code\":404}";
    }

    /// @param yaml what the path gives, with or without its query
    public FakeApi with(String path, String yaml) {
        answers.put(path, JsonText.write(YamlText.parse(yaml)));
        return this;
    }

    FakeApi withText(String path, String text) {
        answers.put(path, text);
        return this;
    }

    /// With pods, services, and runs of Tekton.
    FakeApi withKinds() {
        return with("/api", """
            kind: APIGroupDiscoveryList
            items:
            - metadata: {name: ""}
              versions:
              - version: v1
                resources:
                - {resource: pods, singularResource: pod, responseKind: {kind: Pod}, scope: Namespaced,
                   shortNames: [po], categories: [all], verbs: [get, list, watch]}
                - {resource: namespaces, singularResource: namespace, responseKind: {kind: Namespace},
                   scope: Cluster, shortNames: [ns], verbs: [get, list]}
                - {resource: secrets, singularResource: secret, responseKind: {kind: Secret},
                   scope: Namespaced, verbs: [get, list]}
            """).with("/apis", """
                            kind: APIGroupDiscoveryList
                            items:
                            - metadata: {name: apps}
                              versions:
                              - version: v1
                                resources:
                                - {resource: deployments, singularResource: deployment, responseKind: {kind: Deployment},
                                   scope: Namespaced, shortNames: [deploy], categories: [all], verbs: [get, list, watch]}
                            - metadata: {name: tekton.dev}
                              versions:
                              - version: v1
                                resources:
                                - {resource: pipelineruns, singularResource: pipelinerun, scope: Namespaced,
                                   responseKind: {kind: PipelineRun}, shortNames: [pr, prs], verbs: [get, list]}
                                - {resource: taskruns, singularResource: taskrun, scope: Namespaced,
                                   responseKind: {kind: TaskRun}, shortNames: [tr], verbs: [get, list]}
                              - version: v1beta1
                                resources:
                                - {resource: pipelineruns, singularResource: pipelinerun, scope: Namespaced,
                                   responseKind: {kind: PipelineRun}, verbs: [get, list]}
                            """);
    }

    public ApiClient client() {
        try {
            var address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
            return new ApiClient(new Connection(address, SSLContext.getDefault(), Optional.of("the-token"), "default"));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    PrintStream out() {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    PrintStream err() {
        return new PrintStream(err, true, StandardCharsets.UTF_8);
    }

    String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String complained() {
        return err.toString(StandardCharsets.UTF_8);
    }

    static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
