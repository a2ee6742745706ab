package dev.towtank.app;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.http.Backend;
import dev.towtank.apiserver.http.Health;
import dev.towtank.apiserver.http.HttpServer;
import dev.towtank.apiserver.http.OpenApiDocuments;
import dev.towtank.apiserver.http.Options;
import dev.towtank.apiserver.http.Tls;
import dev.towtank.apiserver.metrics.ServerMetrics;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.StoreLimits;
import dev.towtank.cluster.ControlLoops;
import dev.towtank.cluster.Feature;
import dev.towtank.model.Schemas;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/// Our own API server in this process.
final class EmbeddedEngine implements Engine.Starter {

    private static final String LOOPBACK = "127.0.0.1";

    @Override
    public Engine start(Engine.Site site) throws IOException {
        var audit = Audit.of(site);
        try {
            return start(site, audit);
        } catch (IOException | RuntimeException e) {
            audit.close();
            throw e;
        }
    }

    private static Engine start(Engine.Site site, Audit audit) throws IOException {
        var time = VirtualTime.open(site.virtualTime());
        var store = JournaledStore.open(site.store(), time.timers(), StoreLimits.DEFAULT, "towtank");
        var features = Features.all(site.pki().authorityPem());
        var server = new ApiServer(
                store,
                site.pki().tokenKeys(),
                site.pki().authorityPem(),
                site.pki().adminToken(),
                time.timers(),
                new SecureRandom(),
                features,
                audit.sink());
        var metrics = new ServerMetrics();
        metrics.gauge("towtank_store_revision", "Newest committed revision.", store::revision);
        var backend = new Backend(
                server.api(),
                server.catalog(),
                server.authenticator(),
                server.authorizer(),
                new OpenApiDocuments(server.catalog(), Schemas.builtin(), server.catalog()::schema),
                server.openId(),
                health(store),
                metrics,
                audit.sink(),
                Optional.empty(),
                time.endpoints());
        var http = new HttpServer(
                Options.on(LOOPBACK, site.port()), () -> tls(site.pki()), backend, time.timers(), site.clock());
        try {
            http.start();
        } catch (IOException e) {
            server.close();
            throw e;
        }
        server.start();
        var loops = features.stream()
                .map(feature -> ControlLoops.start(server.as(identity(feature)), time.timers(), List.of(feature)))
                .toList();
        return new Running(http, server, loops, time, audit);
    }

    private static Tls tls(Pki pki) {
        var serving = pki.serving();
        return new Tls(serving.privateKey(), List.of(serving.certificate(), pki.authority()), List.of(pki.authority()));
    }

    /// Ready means that the store answers, not only that the process lives.
    private static Health health(Store store) {
        return new Health(List.of(), List.of(new Health.Check("store", () -> {
            store.revision();
            return Optional.empty();
        })));
    }

    /// Every feature has an identity of its own, with a role of the bootstrap policy that allows what it needs.
    private static User identity(Feature feature) {
        return User.of(
                "system:serviceaccount:kube-system:" + feature.name(),
                "system:serviceaccounts",
                "system:serviceaccounts:kube-system",
                User.ALL_AUTHENTICATED);
    }

    private record Running(HttpServer http, ApiServer server, List<ControlLoops> loops, VirtualTime time, Audit audit)
            implements Engine {
        @Override
        public URI address() {
            return URI.create("https://" + LOOPBACK + ":" + http.port());
        }

        @Override
        public void close() {
            http.close();
            loops.forEach(ControlLoops::close);
            time.close();
            server.close();
            audit.close();
        }
    }
}
