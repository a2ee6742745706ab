package dev.towtank.app.engine;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.pods.Usage;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// The way into pods before there is a node: the server listens first, because the node needs its address.
final class PodDoor implements PodAccess {

    private final AtomicReference<PodAccess> node = new AtomicReference<>();

    void open(PodAccess access) {
        node.set(access);
    }

    private PodAccess node() {
        var access = node.get();
        if (access == null) {
            throw new StatusError(
                    StatusError.Reason.SERVICE_UNAVAILABLE, "the node is not ready yet: try again in a moment");
        }
        return access;
    }

    @Override
    public InputStream log(Resource pod, LogRequest request) {
        return node().log(pod, request);
    }

    @Override
    public boolean lacksBeginning(Resource pod, String container) {
        return node().lacksBeginning(pod, container);
    }

    @Override
    public Session exec(Resource pod, ExecRequest request) {
        return node().exec(pod, request);
    }

    @Override
    public Session attach(Resource pod, ExecRequest request) {
        return node().attach(pod, request);
    }

    @Override
    public Connection connect(Resource pod, int port) {
        return node().connect(pod, port);
    }

    @Override
    public String authority(String podAddress, int port) {
        return node().authority(podAddress, port);
    }

    /// Nothing is known of pods as long as there is no node.
    @Override
    public Map<String, Usage> usage(Resource pod) {
        var access = node.get();
        return access == null ? Map.of() : access.usage(pod);
    }

    @Override
    public Optional<Usage> machineUsage() {
        return Optional.ofNullable(node.get()).flatMap(PodAccess::machineUsage);
    }
}
