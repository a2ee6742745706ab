package dev.towtank.system;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A server for all tests of a class, each of which may have a namespace of its own.
final class SharedServer implements BeforeAllCallback, AfterAllCallback {

    private final AtomicInteger namespaces = new AtomicInteger();

    // Null while no test of the class runs.
    private @Nullable RunningTowtank server;

    @Override
    public void beforeAll(ExtensionContext context) {
        server = RunningTowtank.start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        running().close();
    }

    private RunningTowtank running() {
        if (server == null) {
            throw new IllegalStateException("the server has not been started");
        }
        return server;
    }

    /// Lets another process take its place.
    void replace(UnaryOperator<RunningTowtank> change) {
        server = change.apply(running());
    }

    Path kubeconfig() {
        return running().kubeconfig();
    }

    Path data() {
        return running().data();
    }

    /// The newest that is at hand, in the namespace `default`.
    Kubectl kubectl() {
        return Kubectl.newest(kubeconfig(), "default");
    }

    /// The same in a new namespace.
    Kubectl inNewNamespace() {
        return inNewNamespace(kubectl().binary());
    }

    Kubectl inNewNamespace(Path binary) {
        var kubectl = Kubectl.of(binary, kubeconfig(), "test-" + namespaces.incrementAndGet());
        kubectl.run("create", "namespace", kubectl.namespace());
        return kubectl;
    }
}
