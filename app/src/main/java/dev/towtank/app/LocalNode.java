package dev.towtank.app;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.node.NodeAgent;
import dev.towtank.node.NodeSettings;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.MappedImages;
import dev.towtank.node.sandbox.Sandbox;
import dev.towtank.node.sandbox.Sandboxes;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Files;
import java.util.Optional;

/// The node of this machine, beside the server.
final class LocalNode implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(LocalNode.class.getName());

    static final String KUBECTL = "kubectl";

    private final NodeAgent agent;
    private final Optional<KubectlService> kubectl;

    private LocalNode(NodeAgent agent, Optional<KubectlService> kubectl) {
        this.agent = agent;
        this.kubectl = kubectl;
    }

    /// @throws Failure pods cannot be isolated on this machine; it says why and what to do
    static Sandbox sandbox(Engine.Node node, Timers timers) {
        try {
            Files.createDirectories(node.directory());
            var shared = node.directory().resolve("sandbox");
            return switch (node.runtime()) {
                case BUBBLEWRAP ->
                    node.unsafeHost()
                            ? Sandboxes.unsafe(shared, timers)
                            : Sandboxes.bubblewrap(shared, node.kept().orElse(shared), timers);
                case PODMAN, DOCKER -> Sandboxes.engine(node.runtime().toString(), shared, timers);
            };
        } catch (IOException e) {
            throw new Failure(
                    e.getMessage() + "\nTo run pods as plain processes, without any isolation, start with"
                            + " --unsafe-host; to serve the API without running pods, with --no-node.",
                    e);
        }
    }

    /// @throws Failure when the user's map of images cannot be read, or there is no such engine
    static ImageMap images(Engine.Node node) {
        try {
            return switch (node.runtime()) {
                case BUBBLEWRAP ->
                    MappedImages.load(
                            node.images(),
                            node.directory().resolve("images"),
                            KubectlService.programs(node.directory().resolve(KUBECTL)),
                            Features::program);
                case PODMAN, DOCKER ->
                    Sandboxes.engineImages(
                            node.runtime().toString(), node.directory().resolve("sandbox"));
            };
        } catch (IOException e) {
            throw new Failure("There are no images to run: " + e.getMessage(), e);
        }
    }

    /// @param authority of the server's certificate
    static LocalNode start(
            Engine.Node node,
            NodeAgent.Containers runtime,
            ApiServer server,
            URI address,
            String authority,
            Timers timers)
            throws IOException {
        var name = "system:node:local";
        var identities = new NodeAgent.Identities(
                server.as(User.of(name, "system:nodes", User.ALL_AUTHENTICATED)),
                server.as(User.of("system:kube-scheduler", User.ALL_AUTHENTICATED)),
                server.as(User.of(
                        "system:serviceaccount:kube-system:storage",
                        "system:serviceaccounts",
                        "system:serviceaccounts:kube-system",
                        User.ALL_AUTHENTICATED)),
                server.as(User.of(
                        "system:serviceaccount:kube-system:node-controller",
                        "system:serviceaccounts",
                        "system:serviceaccounts:kube-system",
                        User.ALL_AUTHENTICATED)));
        var settings = NodeSettings.of(node.directory(), address, Version.TOWTANK)
                .allowing(node.hostPaths())
                .named(node.further());
        var kubectl = KubectlService.open(node.directory().resolve(KUBECTL), address, authority);
        return new LocalNode(NodeAgent.start(identities, timers, runtime, settings), kubectl);
    }

    Optional<String> sharedNetwork() {
        return agent.sharedNetwork();
    }

    PodAccess access() {
        return agent.access();
    }

    /// Ends what is left of pods at once.
    void kill() {
        try {
            agent.killAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends all pods' containers within their grace periods.
    @Override
    public void close() {
        try {
            agent.shutDown();
        } catch (InterruptedException e) {
            LOG.log(Level.WARNING, "stopped before all containers had ended; they run on");
            Thread.currentThread().interrupt();
        }
        agent.close();
        kubectl.ifPresent(KubectlService::close);
    }
}
