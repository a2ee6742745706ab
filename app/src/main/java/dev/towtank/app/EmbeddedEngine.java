package dev.towtank.app;

import dev.towtank.apiserver.http.Backend;
import dev.towtank.apiserver.http.Health;
import dev.towtank.apiserver.http.HttpServer;
import dev.towtank.apiserver.http.OpenApiDocuments;
import dev.towtank.apiserver.http.Options;
import dev.towtank.apiserver.http.Tls;
import dev.towtank.apiserver.metrics.ServerMetrics;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.StoreLimits;
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
        var store = JournaledStore.open(site.store(), site.clock(), StoreLimits.DEFAULT, "towtank");
        var server = new ApiServer(
                store, site.pki().tokenKeys(), site.pki().authorityPem(), site.clock(), new SecureRandom());
        var metrics = new ServerMetrics();
        metrics.gauge("towtank_store_revision", "Newest committed revision.", store::revision);
        var backend = new Backend(
                server.api(),
                server.catalog(),
                server.authenticator(),
                server.authorizer(),
                new OpenApiDocuments(server.catalog(), Schemas.builtin(), _ -> Optional.empty()),
                Health.ALWAYS,
                metrics);
        var serving = site.pki().serving();
        var tls = new Tls(
                serving.privateKey(),
                List.of(serving.certificate(), site.pki().authority()),
                List.of(site.pki().authority()));
        var http = new HttpServer(Options.on(LOOPBACK, site.port()), tls, backend, site.clock());
        try {
            http.start();
        } catch (IOException e) {
            server.close();
            throw e;
        }
        server.start();
        return new Running(http, server);
    }

    private record Running(HttpServer http, ApiServer server) implements Engine {
        @Override
        public URI address() {
            return URI.create("https://" + LOOPBACK + ":" + http.port());
        }

        @Override
        public void close() {
            http.close();
            server.close();
        }
    }
}
