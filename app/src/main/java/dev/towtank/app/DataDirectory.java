package dev.towtank.app;

import dev.towtank.apiserver.pki.PrivateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The directory in which one server keeps everything it has.
record DataDirectory(Path root) {

    DataDirectory {
        root = root.toAbsolutePath().normalize();
    }

    /// The chosen one, or the place where the XDG rules want the state of a program.
    static DataDirectory locate(@Nullable Path chosen, Map<String, String> environment) {
        if (chosen != null) {
            return new DataDirectory(chosen);
        }
        var state = Path.of(environment.getOrDefault("XDG_STATE_HOME", ""));
        if (state.isAbsolute()) {
            return new DataDirectory(state.resolve("towtank"));
        }
        var home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        return new DataDirectory(Path.of(home, ".local", "state", "towtank"));
    }

    void make() {
        try {
            PrivateFile.makeDirectory(root);
        } catch (IOException e) {
            throw new Failure(
                    "Cannot use " + root + " as data directory: " + e
                            + ". Choose one you may write to with --data DIR.",
                    e);
        }
    }

    Path lock() {
        return root.resolve("lock");
    }

    Path instance() {
        return root.resolve("instance.json");
    }

    Path log() {
        return root.resolve("towtank.log");
    }

    Path kubeconfig() {
        return root.resolve("kubeconfig");
    }

    Path pki() {
        return root.resolve("pki");
    }

    /// How far the clock was moved ahead; not there when it never was.
    Path virtualTime() {
        return root.resolve("virtual-time");
    }

    Path images() {
        return root.resolve("images.yaml");
    }

    /// Images of registries, beside the map of those that stand in for them.
    Path imageStore() {
        return root.resolve("images");
    }

    Path node() {
        return root.resolve("node");
    }

    Path audit() {
        return root.resolve("audit");
    }

    /// What features keep beside their objects.
    Path features() {
        return root.resolve("features");
    }

    Path store() {
        return root.resolve("store");
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
