package dev.towtank.node.linux;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The one thread that goes into networks beside the machine's, for work that is short and starts nothing.
public final class NetworkThread implements AutoCloseable {

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("networks").factory());

    @FunctionalInterface
    public interface Work<T> {
        T run() throws IOException;
    }

    @FunctionalInterface
    public interface Furnishing {
        /// Makes a new network ready, from inside.
        ///
        /// @param descriptor by which others can put something into it
        void furnish(int descriptor) throws IOException;
    }

    public NetworkNamespace make(Furnishing furnishing) throws IOException {
        return await(() -> {
            try {
                var made = NetworkNamespace.create();
                try {
                    furnishing.furnish(made.descriptor());
                } catch (IOException | RuntimeException e) {
                    made.close();
                    throw e;
                }
                return made;
            } finally {
                NetworkNamespace.goHome();
            }
        });
    }

    public <T> T in(NetworkNamespace network, Work<T> work) throws IOException {
        return await(() -> {
            try {
                network.enter();
                return work.run();
            } finally {
                network.leave();
            }
        });
    }

    private <T> T await(Work<T> work) throws IOException {
        var task = thread.submit(work::run);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get(); // it is short, and what it makes must have an owner
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException problem -> throw problem;
                case RuntimeException problem -> throw problem;
                case null, default -> throw new IllegalStateException(e);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
