package dev.towtank.app.engine;

import dev.towtank.apiserver.pki.PrivateFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The directory in which one server keeps everything it has.
public record DataDirectory(Path root) {

    public DataDirectory {
        root = root.toAbsolutePath().normalize();
    }

    /// The chosen one, or the place where the XDG rules want the state of a program.
    public static DataDirectory locate(@Nullable Path chosen, Map<String, String> environment) {
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

    public void make() {
        try {
            PrivateFile.makeDirectory(root);
        } catch (IOException e) {
            throw new Failure(
                    "Cannot use " + root + " as data directory: " + reason(e)
                            + ". Choose one you may write to with --data DIR.",
                    e);
        }
    }

    // Exceptions of files say what is wrong by what they are called.
    private static String reason(IOException e) {
        return switch (e) {
            case FileAlreadyExistsException _ -> "it is a file";
            case AccessDeniedException _ -> "you may not write there";
            case NoSuchFileException _ -> "it cannot be made there";
            case FileSystemException failed
            when "Operation not permitted".equals(failed.getReason()) -> "it belongs to somebody else";
            default -> String.valueOf(e.getMessage());
        };
    }

    Path lock() {
        return root.resolve("lock");
    }

    Path instance() {
        return root.resolve("instance.json");
    }

    public Path log() {
        return root.resolve("towtank.log");
    }

    public Path kubeconfig() {
        return root.resolve("kubeconfig");
    }

    public Path pki() {
        return root.resolve("pki");
    }

    /// How far the clock was moved ahead; not there when it never was.
    public Path virtualTime() {
        return root.resolve("virtual-time");
    }

    public Path images() {
        return root.resolve("images.yaml");
    }

    /// Images of registries, beside the map of those that stand in for them.
    public Path imageStore() {
        return root.resolve("images");
    }

    public Path node() {
        return root.resolve("node");
    }

    public Path audit() {
        return root.resolve("audit");
    }

    /// What features keep beside their objects.
    public Path features() {
        return root.resolve("features");
    }

    /// The last runs of `run`.
    public Path runs() {
        return root.resolve("runs");
    }

    public Path store() {
        return root.resolve("store");
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
