package dev.towtank.system;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A server for many tests, each of which may have a namespace of its own.
///
/// The common one serves all classes that are content with namespaces of their own: a server that has run for a while
/// computes a fraction of what one computes that has just started. A class has its own where it restarts it, counts
/// what the whole server has, or changes what everybody sees.
final class SharedServer implements BeforeAllCallback, AfterAllCallback {

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private final boolean isCommon;

    // Null while no test of the class runs.
    private @Nullable RunningTowtank server;

    /// One for the tests of a class alone.
    SharedServer() {
        this(false);
    }

    private SharedServer(boolean isCommon) {
        this.isCommon = isCommon;
    }

    /// The one that all classes share.
    static SharedServer common() {
        return new SharedServer(true);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server = isCommon
                ? context.getRoot()
                        .getStore(ExtensionContext.Namespace.GLOBAL)
                        .computeIfAbsent(SharedServer.class, _ -> RunningTowtank.start(), RunningTowtank.class)
                : RunningTowtank.start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        // The common one is closed with the store that holds it, after the last class.
        if (!isCommon) {
            running().close();
        }
    }

    private RunningTowtank running() {
        if (server == null) {
            throw new IllegalStateException("the server has not been started");
        }
        return server;
    }

    /// Lets another process take its place.
    void replace(UnaryOperator<RunningTowtank> change) {
        if (isCommon) {
            throw new IllegalStateException("others use this server");
        }
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
        var kubectl = Kubectl.of(binary, kubeconfig(), "test-" + NAMESPACES.incrementAndGet());
        kubectl.run("create", "namespace", kubectl.namespace());
        return kubectl;
    }
}
