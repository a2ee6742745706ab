package dev.towtank.app.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.remote.RemoteAccess;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.controllers.builds.BuildsFeature;
import dev.towtank.controllers.namespaces.NamespacesFeature;
import dev.towtank.controllers.workloads.WorkloadsFeature;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Every feature that a cluster does not have by itself does its work on a server that is somewhere else: over the
/// network, with the account that an administrator makes for it and no more rights.
///
/// The server has the features of every cluster alone. What each has to do is what it does with its own rights in
/// [FeatureRightsTest], or in `rights/remote/<name>.yaml` where another cluster is not like ours.
@Timeout(300)
class RemoteFeaturesTest {

    private static final String READER = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: metrics-reader}
            rules: [{nonResourceURLs: [/models/metrics], verbs: [get]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: metrics-reader}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: metrics-reader}
            subjects: [{kind: ServiceAccount, name: towtank-controllers, namespace: kube-system}]
            """;

    @TempDir
    Path directory;

    @Test
    void everyFeatureDoesItsWorkOnAnotherServer() throws Exception {
        var pki = Pki.open(directory.resolve("pki"), InstantSource.system(), List.of());
        var own = Pki.open(directory.resolve("own-pki"), InstantSource.system(), List.of());
        var ofEveryCluster = List.<Feature>of(new NamespacesFeature(), new WorkloadsFeature(), new BuildsFeature());
        var said = new LinkedBlockingQueue<String>();
        try (var engine = new EmbeddedEngine(HeadStart.of(), ofEveryCluster).start(site(pki))) {
            RemoteInstallation.objects(Features.portable()).forEach(object -> install(engine, object));
            var token = token(engine, pki);
            var account = new RemoteAccess(engine.address().toString(), pki.authorityPem(), token, "", "", "", "");
            try (var cluster = RemoteCluster.at(account);
                    var _ = new RemoteControllers(
                            cluster,
                            Features.portable(),
                            own,
                            directory.resolve("features"),
                            "the-only-one",
                            said::add)) {
                var door = new Drive.Door(endpoints(said), own.clientTls(own.admin()));
                assertThat(problems(engine, door)).isEmpty();
                assertThat(answered(door, "/models/metrics", "")).isEqualTo(401);
                assertThat(answered(door, "/models/metrics", "wrong")).isEqualTo(401);
                assertThat(answered(door, "/models/metrics", token)).isEqualTo(403);
                YamlText.parseAll(READER.getBytes(StandardCharsets.UTF_8))
                        .forEach(object -> install(engine, (Json.Obj) object));
                assertThat(answered(door, "/models/metrics", token)).isEqualTo(200);
                assertThat(answered(door, "/elsewhere", token)).isEqualTo(404);
            }
        }
        assertThat(refusals()).isEmpty();
    }

    /// What the account wanted to do and may not.
    private List<String> refusals() throws IOException {
        var refusals = new ArrayList<String>();
        try (var files = Files.list(directory.resolve("audit"))) {
            for (var file : files.toList()) {
                for (var line : Files.readAllLines(file)) {
                    var event = JsonText.parseObject(line);
                    if (event.string("user", "username").endsWith(":" + RemoteInstallation.NAME)
                            && event.at("responseStatus", "code").display().equals("403")) {
                        refusals.add(event.string("verb") + " " + event.string("requestURI") + ": "
                                + event.string("responseStatus", "message"));
                    }
                }
            }
        }
        return refusals;
    }

    private Engine.Site site(Pki pki) {
        return new Engine.Site(
                Optional.empty(),
                directory.resolve("server-features"),
                directory.resolve("audit"),
                AuditSink.Level.METADATA,
                0,
                true,
                pki,
                InstantSource.system(),
                Optional.empty(),
                Optional.of(
                        new Engine.Node(directory.resolve("node"), directory.resolve("images.yaml"), true, List.of())));
    }

    /// As an administrator applies it.
    private static void install(Engine engine, Json.Obj object) {
        var resource = new Resource(LogicalCluster.DEFAULT, object);
        try {
            engine.cluster().create(Drive.kind(object), resource, WriteOptions.DEFAULT);
        } catch (StatusError e) {
            if (!e.is(StatusError.Reason.ALREADY_EXISTS)) {
                throw e;
            }
        }
    }

    private static String token(Engine engine, Pki pki) throws IOException, InterruptedException {
        var path = "/api/v1/namespaces/" + RemoteInstallation.NAMESPACE + "/serviceaccounts/" + RemoteInstallation.NAME
                + "/token";
        var request = HttpRequest.newBuilder(URI.create(engine.address() + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}"))
                .build();
        try (var client =
                HttpClient.newBuilder().sslContext(pki.clientTls(pki.admin())).build()) {
            var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            return JsonText.parseObject(answer.body()).string("status", "token");
        }
    }

    /// It says so before it says that it leads.
    private static URI endpoints(BlockingQueue<String> said) throws InterruptedException {
        var line = said.take();
        assertThat(line).startsWith("Serving ").contains("/pipelines-as-code");
        assertThat(said.take()).isEqualTo("Leading.");
        return URI.create(line.substring(line.indexOf("https://"), line.length() - 1));
    }

    private static int answered(Drive.Door door, String path, String token) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(door.address() + path));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try (var client = HttpClient.newBuilder().sslContext(door.tls()).build()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    /// All beside each other.
    private List<String> problems(Engine engine, Drive.Door door) throws InterruptedException, IOException {
        var repository = Drive.repository(directory.resolve("repository"));
        var problems = new ArrayList<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var drives = new ArrayList<Future<?>>();
            for (var feature : Features.portable()) {
                var drive = new Drive(engine, door, InstantSource.system(), feature.name(), repository);
                drives.add(threads.submit(() -> drive.run(LogicalCluster.DEFAULT)));
            }
            for (var drive : drives) {
                try {
                    drive.get();
                } catch (ExecutionException e) {
                    problems.add(String.valueOf(e.getCause()));
                }
            }
        }
        return problems;
    }
}
