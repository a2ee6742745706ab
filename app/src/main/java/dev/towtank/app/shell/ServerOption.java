package dev.towtank.app.shell;

import dev.towtank.app.client.ApiClient;
import dev.towtank.app.client.Connection;
import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.engine.Instance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Which server a command talks to, and about which namespace.
///
/// `$KUBECONFIG` is not looked at: who works with several clusters must not cancel a run on the wrong one.
public final class ServerOption {
    @Mixin
    private final DataOption data = new DataOption();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description =
                    "Talks to the server of this kubeconfig, in place of the one that runs on the data directory.")
    private @Nullable Path kubeconfig;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The namespace (default: that of the kubeconfig, or 'default').")
    private @Nullable String namespace;

    public DataDirectory directory(Surroundings surroundings) {
        return data.resolve(surroundings);
    }

    public ApiClient connect(Surroundings surroundings) {
        return new ApiClient(Connection.read(file(surroundings)));
    }

    /// The kubeconfig that leads to the server.
    public Path file(Surroundings surroundings) {
        surroundings.stop().leaveAtOnce(); // whatever is asked, nothing is left behind
        if (kubeconfig != null) {
            return kubeconfig;
        }
        return running(surroundings, data.resolve(surroundings));
    }

    /// The kubeconfig of the server that runs on a data directory.
    public static Path running(Surroundings surroundings, DataDirectory directory) {
        if (!isRunning(directory)) {
            throw new Failure("No server runs on " + directory + ". Start one with '" + surroundings.programName()
                    + " up --detach', or name another with --data DIR or --kubeconfig FILE.");
        }
        return directory.kubeconfig();
    }

    public static boolean isRunning(DataDirectory directory) {
        return Instance.running(directory).flatMap(Instance::address).isPresent();
    }

    /// Whether the user says which server is meant.
    public boolean isNamed() {
        return kubeconfig != null;
    }

    /// Whether there is a server to talk to, or the user says so.
    public boolean isThere(Surroundings surroundings) {
        return kubeconfig != null || isRunning(data.resolve(surroundings));
    }

    public String namespace(ApiClient client) {
        return namespace == null ? client.namespace() : namespace;
    }
}
