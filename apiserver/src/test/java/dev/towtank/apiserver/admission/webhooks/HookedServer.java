package dev.towtank.apiserver.admission.webhooks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.apiserver.registry.TestApi;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// A whole API server, and webhooks on this machine that it can be told to ask.
public final class HookedServer implements AutoCloseable {

    public static final String SERVICE = "hook.shop.svc";

    public final ApiServer server;
    public final String caBundle;
    public final List<Json.Obj> requests = new CopyOnWriteArrayList<>();
    public User user = User.of("jane", User.MASTERS, User.ALL_AUTHENTICATED);

    private final HttpsServer hooks;

    /// Answers a request of an AdmissionReview with its response, to which the identity is added.
    @FunctionalInterface
    public interface Hook {
        Json.Obj answer(Json.Obj request);
    }

    /// Made once for all tests: keys are what takes time.
    public static Pki pki(Path directory) {
        return Pki.open(directory.resolve("pki"), InstantSource.system(), List.of(SERVICE));
    }

    public HookedServer(Pki pki) throws IOException {
        caBundle = Base64.getEncoder().encodeToString(pki.authorityPem().getBytes(StandardCharsets.UTF_8));
        hooks = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        hooks.setHttpsConfigurator(new HttpsConfigurator(pki.serverTls()));
        hooks.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        hooks.start();
        server = new ApiServer(
                JournaledStore.inMemory(),
                pki.tokenKeys(),
                pki.authorityPem(),
                "a-token-for-nobody",
                InstantSource.system(),
                new Random(5));
        create("namespaces", "{metadata: {name: shop, labels: {team: red}}}");
    }

    public int port() {
        return hooks.getAddress().getPort();
    }

    public String url(String path) {
        return "https://127.0.0.1:" + port() + path;
    }

    /// A webhook that speaks the protocol.
    public String hook(String path, Hook hook) {
        return raw(path, 200, body -> {
            var review = JsonText.parseObject(body);
            var request = review.object("request");
            requests.add(request);
            var response = hook.answer(request).with("uid", Json.of(request.string("uid")));
            return JsonText.bytes(review.without("request").with("response", response));
        });
    }

    /// Makes bytes of bytes.
    @FunctionalInterface
    public interface Bytes {
        byte[] of(byte[] body);
    }

    /// One that answers whatever it likes.
    public String raw(String path, int code, Bytes answer) {
        hooks.createContext(path, exchange -> respond(exchange, code, answer));
        return url(path);
    }

    private static void respond(HttpExchange exchange, int code, Bytes answer) {
        try (exchange) {
            var bytes = answer.of(exchange.getRequestBody().readAllBytes());
            exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Json.Obj allow() {
        return Json.Obj.of("allowed", Json.of(true));
    }

    public static Json.Obj patch(String operations) {
        var encoded = Base64.getEncoder().encodeToString(operations.getBytes(StandardCharsets.UTF_8));
        return allow().with("patch", Json.of(encoded)).with("patchType", Json.of("JSONPatch"));
    }

    public static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    /// Registers one webhook, by default for new pods.
    public void register(String kind, String name, String url, String more) {
        create(
                kind.toLowerCase(Locale.ROOT) + "webhookconfigurations.admissionregistration.k8s.io",
                configuration(name, url, more));
    }

    public String configuration(String name, String url, String more) {
        return "{metadata: {name: '" + name + "'}, webhooks: [" + webhook(name, url, more) + "]}";
    }

    public String webhook(String name, String url, String more) {
        var hook = yaml("{name: " + name + ".example.com, clientConfig: {url: '" + url + "', caBundle: " + caBundle
                + "}, rules: [{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods]}],"
                + " sideEffects: None, admissionReviewVersions: [v1]}");
        for (var entry : yaml("{" + more + "}")) {
            hook = hook.with(entry.getKey(), entry.getValue());
        }
        return hook.toString();
    }

    public Target target(String path) {
        var parts = Arrays.copyOf(path.split("/", -1), 4);
        int dot = parts[0].indexOf('.');
        var resource = dot < 0 ? parts[0] : parts[0].substring(0, dot);
        var group = dot < 0 ? "" : parts[0].substring(dot + 1);
        int at = group.indexOf('@');
        var version = at < 0 ? "v1" : group.substring(at + 1);
        return new Target(
                at < 0 ? group : group.substring(0, at),
                version,
                resource,
                parts[1] == null ? "" : parts[1],
                parts[2] == null ? "" : parts[2],
                parts[3] == null ? "" : parts[3]);
    }

    public Answer.One call(Verb verb, String path, String query, Body body) {
        Params params = TestApi.params(query);
        return (Answer.One)
                server.api().handle(new Call(user, LogicalCluster.DEFAULT, verb, target(path), params, body));
    }

    public Json.Obj create(String path, String yaml) {
        return call(Verb.CREATE, path, "", Body.of(yaml(yaml))).object().tree();
    }

    public Json.Obj get(String path) {
        return call(Verb.GET, path, "", Body.None.NONE).object().tree();
    }

    public Json.Obj update(String path, Json.Obj object) {
        return call(Verb.UPDATE, path, "", Body.of(object)).object().tree();
    }

    public Json.Obj merge(String path, String patch) {
        var body = new Body.Tree("application/merge-patch+json", yaml(patch));
        return call(Verb.PATCH, path, "", body).object().tree();
    }

    public void delete(String path) {
        call(Verb.DELETE, path, "", Body.None.NONE);
    }

    public Json.Obj pod(String name) {
        return create("pods/shop", "{metadata: {name: " + name + "}, spec: {containers: [{name: a, image: b}]}}");
    }

    @Override
    public void close() {
        server.close();
        hooks.stop(0);
    }
}
