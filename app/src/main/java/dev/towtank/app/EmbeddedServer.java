package dev.towtank.app;

import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.pki.Kubeconfig;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.app.client.ApiClient;
import dev.towtank.app.client.Connection;
import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.EmbeddedEngine;
import dev.towtank.app.engine.Engine;
import dev.towtank.app.engine.HeadStart;
import dev.towtank.app.engine.RealImagesSite;
import dev.towtank.node.images.ImageMode;
import dev.towtank.node.sandbox.machine.SandboxCheck;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// A server in the process of whoever starts it, for tests: the one way into this module from outside.
public final class EmbeddedServer implements AutoCloseable {
    private final Engine engine;
    private final Pki pki;
    private final boolean runsPods;

    private EmbeddedServer(Engine engine, Pki pki, boolean runsPods) {
        this.engine = engine;
        this.pki = pki;
        this.runsPods = runsPods;
    }

    /// Returns when clients can use it. Pods run where this machine can isolate them, and wait where it cannot.
    ///
    /// @param directory where it keeps what it has; not removed at the end
    public static EmbeddedServer start(Path directory) throws IOException {
        var data = new DataDirectory(directory);
        data.make();
        var clock = InstantSource.system();
        var pki = Pki.open(data.pki(), clock, List.of());
        Optional<Engine.Node> node = SandboxCheck.run().usable()
                ? Optional.of(new Engine.Node(data.node(), data.images(), false, List.of())
                        .with(RealImagesSite.of(data, ImageMode.AUTO, System.getenv())))
                : Optional.empty();
        var site = new Engine.Site(
                Optional.of(data.store()),
                data.features(),
                data.audit(),
                AuditSink.Level.OFF,
                0,
                true,
                pki,
                clock,
                Optional.empty(),
                node);
        return new EmbeddedServer(new EmbeddedEngine(HeadStart.of()).start(site), pki, node.isPresent());
    }

    public boolean runsPods() {
        return runsPods;
    }

    public URI address() {
        return engine.address();
    }

    /// Where clients find a logical cluster of it.
    public URI address(String cluster) {
        return URI.create(engine.address() + "/clusters/" + cluster);
    }

    /// What an administrator of a logical cluster gives to any client. It contains a secret.
    public String kubeconfig(String cluster) {
        return Kubeconfig.text(address(cluster), pki.authorityPem(), pki.adminToken());
    }

    /// A client that may do everything. Close it.
    public ApiClient client(URI server) {
        return new ApiClient(
                new Connection(server, pki.clientTls(pki.admin()), Optional.of(pki.adminToken()), "default"));
    }

    @Override
    public void close() {
        engine.close();
    }
}
