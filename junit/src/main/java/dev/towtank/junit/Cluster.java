package dev.towtank.junit;

import dev.towtank.app.EmbeddedServer;
import dev.towtank.app.client.ApiClient;
import dev.towtank.app.client.ObjectClient;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/// A Kubernetes API of a test's own: all of it, with server-side apply, definitions, RBAC and, where the
/// machine can isolate them, pods.
///
/// Kinds are called as for kubectl: `pod`, `pods`, `po`, `widgets.example.com`. What the server refuses is
/// thrown as [dev.towtank.model.StatusError].
public final class Cluster implements AutoCloseable {
    private static final String FIELD_MANAGER = "towtank-junit";

    private final String name;
    private final EmbeddedServer server;
    private final Path kubeconfig;
    private final Duration patience;
    private final Runnable end;
    private final ApiClient client;
    private final ObjectClient objects;

    Cluster(String name, EmbeddedServer server, Path kubeconfig, Duration patience, Runnable end) {
        this.name = name;
        this.server = server;
        this.kubeconfig = kubeconfig;
        this.patience = patience;
        this.end = end;
        this.client = server.client(server.address(name));
        this.objects = new ObjectClient(client, namespace());
    }

    /// Where objects go that do not say.
    public String namespace() {
        return "default";
    }

    public URI address() {
        return server.address(name);
    }

    /// A file for any other client. It goes with the cluster.
    public Path kubeconfig() {
        try {
            if (Files.notExists(kubeconfig)) {
                var mine = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
                Files.createFile(kubeconfig, mine);
                Files.writeString(kubeconfig, kubeconfigText());
            }
            return kubeconfig;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String kubeconfigText() {
        return server.kubeconfig(name);
    }

    /// Whether this machine can isolate pods; where it cannot, they stay pending.
    public boolean runsPods() {
        return server.runsPods();
    }

    /// Server-side applies all documents, in their order.
    public List<Resource> apply(String yaml) {
        return objects.apply(yaml, FIELD_MANAGER);
    }

    /// Creates all documents, in their order.
    public List<Resource> create(String yaml) {
        return objects.create(yaml);
    }

    public Optional<Resource> find(String kind, String object) {
        return objects.find(kind, object);
    }

    /// @throws AssertionError when there is none
    public Resource get(String kind, String object) {
        return find(kind, object).orElseThrow(() -> new AssertionError("there is no " + kind + " \"" + object + "\""));
    }

    public List<Resource> list(String kind) {
        return objects.list(kind);
    }

    public void delete(String kind, String object) {
        objects.delete(kind, object);
    }

    /// Waits for what becomes of an object: `cluster.await("pod", "web").hasCondition("Ready")`.
    public Awaited await(String kind, String object) {
        return new Awaited(objects, kind, object, patience);
    }

    /// The same of an object at hand, as [#apply] returns it; it is looked for in its own namespace.
    public Awaited await(Resource object) {
        var there = object.namespace().isEmpty() ? objects : new ObjectClient(client, object.namespace());
        var group = object.group().isEmpty() ? "" : "." + object.group();
        return new Awaited(there, object.kind().toLowerCase(Locale.ROOT) + group, object.name(), patience);
    }

    /// Waits until an object is as it should be.
    ///
    /// @throws AssertionError when it never was, with how it was last
    public Resource await(String kind, String object, Predicate<Resource> enough) {
        return await(kind, object).is(enough);
    }

    /// What a pod with one container has written.
    public String log(String pod) {
        return objects.log(pod);
    }

    /// JUnit calls this at the end of the test.
    @Override
    public void close() {
        client.close();
        end.run();
        try {
            Files.deleteIfExists(kubeconfig);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return address().toString();
    }
}
