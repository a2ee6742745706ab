package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.audit.AuditEvent;
import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.auth.Authenticator.Credentials;
import dev.towtank.apiserver.auth.Authenticator.Identity;
import dev.towtank.apiserver.auth.Authorizer.Attempt;
import dev.towtank.apiserver.auth.Authorizer.Decision;
import dev.towtank.apiserver.auth.OpenIdDiscovery;
import dev.towtank.apiserver.metrics.ServerMetrics;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Column;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/// Answers every call by what the test says, and remembers it. Tokens: `admin`, `nobody`, `tenant`.
final class FakeBackend {

    static final Kind<Json.Obj> PODS = Kind.namespaced("", "v1", "Pod", "pods")
            .withShortNames("po")
            .withCategories("all")
            .withStatus()
            .withColumns(
                    Column.ofName(),
                    Column.path("Status", "status", "phase"),
                    Column.ofAge(),
                    Column.path("Node", "spec", "nodeName").wide());
    static final Kind<Json.Obj> NAMESPACES =
            Kind.clusterScoped("", "v1", "Namespace", "namespaces").withStatus();
    static final Kind<Json.Obj> DEPLOYMENTS = Kind.namespaced("apps", "v1", "Deployment", "deployments")
            .withScale(new Kind.Scale(List.of("spec", "replicas"), List.of("status", "replicas"), Optional.empty()));
    static final LogicalCluster TENANT = new LogicalCluster("tenant");

    final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    final ServerMetrics metrics = new ServerMetrics();
    volatile Api api = call -> one(200, pod("web", 7));
    /// What is answered without asking further.
    volatile Function<Call, Optional<Answer>> known = _ -> Optional.empty();
    final FakePods pods = new FakePods();
    volatile Health health = Health.ALWAYS;
    volatile Documents documents = Documents.NONE;
    final BlockingQueue<AuditEvent> audited = new LinkedBlockingQueue<>();

    Backend backend() {
        return new Backend(
                new Answering(),
                catalog(),
                FakeBackend::authenticate,
                FakeBackend::authorize,
                (cluster, path, accept) -> documents.find(cluster, path, accept),
                new OpenIdDiscovery("https://issuer", List.of()),
                health,
                metrics,
                new Recorder(),
                Optional.of(pods),
                () -> List.of(
                        Endpoint.authorized(
                                "/extra",
                                request -> WebResponse.json(
                                        200,
                                        Json.Obj.of(
                                                "verb", Json.of(request.method().toLowerCase(Locale.ROOT))))),
                        new Endpoint(
                                "/open",
                                Endpoint.Access.OPEN,
                                10,
                                request -> WebResponse.of(200, "text/plain", request.readBody()))));
    }

    Catalog catalog() {
        return new FixedCatalog(List.of(
                Catalog.Served.asStored(PODS),
                Catalog.Served.asStored(NAMESPACES),
                Catalog.Served.asStored(DEPLOYMENTS)));
    }

    private final class Answering implements Api {
        @Override
        public Answer handle(Call call) {
            calls.add(call);
            return api.handle(call);
        }

        @Override
        public Optional<Answer> quickly(Call call) {
            return known.apply(call);
        }
    }

    static Answer.One one(int code, Json.Obj object, String... warnings) {
        return new Answer.One(code, Optional.of(PODS), Content.of(object), List.of(warnings));
    }

    static Answer.Many many(int count) {
        List<Content> pods = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pods.add(Content.of(pod("web-" + i, i + 1)));
        }
        return new Answer.Many(PODS, 42, pods, "", Optional.empty(), List.of());
    }

    static Json.Obj pod(String name, long revision) {
        return JsonText.parseObject("""
                {"kind": "Pod", "apiVersion": "v1",
                 "metadata": {"name": "%s", "namespace": "default", "resourceVersion": "%d",
                              "creationTimestamp": "2026-01-01T00:00:00Z"},
                 "spec": {"nodeName": "node-1"},
                 "status": {"phase": "Running"}}
                """.formatted(name, revision));
    }

    private static Optional<Identity> authenticate(Credentials credentials) {
        if (!credentials.certificates().isEmpty()) {
            var subject = credentials.certificates().getFirst().getSubjectX500Principal();
            return Optional.of(new Identity(User.of(subject.getName()), Optional.empty()));
        }
        return switch (credentials.bearerToken()) {
            case "" -> Optional.empty();
            case "admin" -> Optional.of(new Identity(User.of("admin", User.MASTERS), Optional.empty()));
            case "nobody" -> Optional.of(new Identity(User.of("nobody"), Optional.empty()));
            case "tenant" -> Optional.of(new Identity(User.of("tenant-user"), Optional.of(TENANT)));
            default -> throw StatusError.unauthorized();
        };
    }

    private static Decision authorize(Attempt attempt) {
        return new Decision(attempt.user().groups().contains(User.MASTERS), "");
    }

    private final class Recorder implements AuditSink {
        @Override
        public Level level() {
            return Level.REQUEST;
        }

        @Override
        public void record(AuditEvent event) {
            audited.add(event);
        }
    }

    private record FixedCatalog(List<Served> kinds) implements Catalog {
        @Override
        public List<Served> served(LogicalCluster cluster) {
            return kinds;
        }

        @Override
        public Optional<Served> find(LogicalCluster cluster, String group, String version, String resource) {
            return kinds.stream()
                    .filter(served -> served.kind().group().equals(group)
                            && served.kind().version().equals(version)
                            && served.kind().plural().equals(resource))
                    .findFirst();
        }

        @Override
        public Optional<Served> findKind(LogicalCluster cluster, String group, String kind) {
            return kinds.stream()
                    .filter(served -> served.kind().group().equals(group)
                            && served.kind().kind().equals(kind))
                    .findFirst();
        }
    }
}
