package dev.towtank.app.engine;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.cluster.web.WebHandler;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The paths of features, at a port of this process: the cluster's own server knows nothing of them. It is asked who
/// a caller is and what they may do, as its own extensions ask.
final class RemoteEndpoints implements WebHandler {

    private static final Kind<Json.Obj> TOKEN_REVIEW =
            Kind.clusterScoped("authentication.k8s.io", "v1", "TokenReview", "tokenreviews");
    private static final Kind<Json.Obj> ACCESS_REVIEW =
            Kind.clusterScoped("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews");
    private static final String BEARER = "Bearer ";

    private final Cluster cluster;
    private final List<Endpoint> endpoints;

    RemoteEndpoints(Cluster cluster, List<Endpoint> endpoints) {
        this.cluster = cluster;
        this.endpoints = endpoints;
    }

    /// With a certificate of this process's own authority.
    WebDoor.Port port() {
        return WebDoor.Port.plain("endpoints", this)
                .withTls(List.of("localhost", "127.0.0.1"))
                .withLargestBody(endpoints.stream()
                        .mapToLong(Endpoint::largestBody)
                        .max()
                        .orElse(0));
    }

    @Override
    public WebResponse handle(WebRequest request) throws IOException, InterruptedException {
        var endpoint = endpoints.stream()
                .filter(each -> each.covers(request.path()))
                .findFirst()
                .orElseThrow(StatusError::noPage);
        var caller = endpoint.access() == Endpoint.Access.OPEN
                ? Optional.<WebRequest.Caller>empty()
                : Optional.of(caller(request).orElseThrow(StatusError::unauthorized));
        if (endpoint.access() == Endpoint.Access.AUTHORIZED) {
            authorize(caller.orElseThrow(), request);
        }
        return endpoint.handler().handle(bounded(request, endpoint.largestBody(), caller));
    }

    private Optional<WebRequest.Caller> caller(WebRequest request) {
        var shown = request.header("authorization");
        if (!shown.startsWith(BEARER)) {
            return Optional.empty();
        }
        var status = asked(TOKEN_REVIEW, Json.Obj.of("token", Json.of(shown.substring(BEARER.length()))));
        return status.flag("authenticated")
                ? Optional.of(new WebRequest.Caller(
                        status.string("user", "username"),
                        status.object("user").array("groups").strings(),
                        LogicalCluster.DEFAULT))
                : Optional.empty();
    }

    private void authorize(WebRequest.Caller caller, WebRequest request) {
        var verb = request.method().toLowerCase(Locale.ROOT);
        var attributes = Json.Obj.of("path", Json.of(request.path()), "verb", Json.of(verb));
        var spec = Json.Obj.of(
                "user", Json.of(caller.name()),
                "groups", Json.Arr.ofStrings(caller.groups()),
                "nonResourceAttributes", attributes);
        if (!asked(ACCESS_REVIEW, spec).flag("allowed")) {
            throw new StatusError(
                    StatusError.Reason.FORBIDDEN,
                    "User " + Json.of(caller.name()) + " cannot " + verb + " path " + Json.of(request.path()));
        }
    }

    private Json.Obj asked(Kind<?> kind, Json.Obj spec) {
        var question =
                Json.Obj.of("apiVersion", Json.of(kind.apiVersion()), "kind", Json.of(kind.kind()), "spec", spec);
        return cluster.create(kind, new Resource(LogicalCluster.DEFAULT, question), Cluster.WriteOptions.DEFAULT)
                .status();
    }

    private static WebRequest bounded(WebRequest request, long limit, Optional<WebRequest.Caller> caller) {
        return new WebRequest(
                request.method(),
                request.path(),
                request.query(),
                request.headers(),
                new Bounded(request.body(), limit),
                caller,
                request.isSecure());
    }

    /// The port takes what the endpoint with the largest bodies takes; this one may take less.
    private static final class Bounded extends FilterInputStream {
        private final long limit;
        private long left;

        Bounded(InputStream in, long limit) {
            super(in);
            this.limit = limit;
            this.left = limit;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            left -= Math.max(0, read);
            if (left < 0) {
                throw new WebRequest.TooLarge(limit);
            }
            return read;
        }
    }
}
