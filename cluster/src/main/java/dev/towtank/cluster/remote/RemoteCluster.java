package dev.towtank.cluster.remote;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.Patch;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A cluster behind a kube-apiserver. It has the default logical cluster only.
public final class RemoteCluster implements Cluster, AutoCloseable {

    private static final int PAGE = 500;

    private final RemoteHttp http;

    private RemoteCluster(RemoteHttp http) {
        this.http = http;
    }

    /// The cluster that a context of a kubeconfig names.
    ///
    /// @param context empty for the current one
    public static RemoteCluster of(Path kubeconfig, Optional<String> context) {
        if (!Files.isReadable(kubeconfig)) {
            throw new IllegalArgumentException("cannot read the kubeconfig " + kubeconfig);
        }
        try {
            var config = Config.fromKubeconfig(context.orElse(null), kubeconfig.toFile());
            if (context.isPresent() && !hasContext(config, context.get())) {
                throw new IllegalArgumentException(
                        "the kubeconfig " + kubeconfig + " has no context \"" + context.get() + "\"");
            }
            ClientKeys.findAlgorithm(config);
            return new RemoteCluster(new RemoteHttp(config));
        } catch (KubernetesClientException e) {
            throw new IllegalArgumentException("cannot use the kubeconfig " + kubeconfig + ": " + rootOf(e), e);
        }
    }

    private static Throwable rootOf(Throwable problem) {
        var root = problem;
        for (var cause = root.getCause(); cause != null; cause = cause.getCause()) {
            root = cause;
        }
        return root;
    }

    private static boolean hasContext(Config config, String name) {
        return config.getContexts().stream().anyMatch(context -> name.equals(context.getName()));
    }

    /// The cluster at an address.
    ///
    /// @throws IllegalArgumentException certificates or key cannot be read
    public static RemoteCluster at(RemoteAccess access) {
        try {
            var config = new ConfigBuilder(Config.empty())
                    .withMasterUrl(access.server())
                    .withCaCertData(encoded(access.authority()))
                    .withOauthToken(access.token().isEmpty() ? null : access.token())
                    .withClientCertData(encoded(access.certificate()))
                    .withClientKeyData(encoded(access.key()))
                    .withUsername(access.user().isEmpty() ? null : access.user())
                    .withPassword(access.password().isEmpty() ? null : access.password())
                    .build();
            ClientKeys.findAlgorithm(config);
            return new RemoteCluster(new RemoteHttp(config));
        } catch (KubernetesClientException e) {
            throw new IllegalArgumentException("cannot use what is known of " + access.server() + ": " + rootOf(e), e);
        }
    }

    private static @Nullable String encoded(String pem) {
        return pem.isEmpty() ? null : Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
    }

    /// Where its server is.
    public URI address() {
        return http.address();
    }

    /// The certificates by which its server is known, in PEM; empty for those of the machine.
    public String authority() {
        return http.authority();
    }

    /// The cluster that this process runs in as a pod, with the pod's service account.
    public static RemoteCluster inCluster() {
        return new RemoteCluster(new RemoteHttp(Config.autoConfigure(null)));
    }

    @Override
    public Optional<Resource> get(Kind<?> kind, ObjectName name) {
        try {
            return Optional.of(resource(kind, http.send("GET", RemotePath.of(kind, name))));
        } catch (StatusError e) {
            // Without the name it is the kind that is not there, which is another matter.
            if (e.is(StatusError.Reason.NOT_FOUND) && e.details().string("name").equals(name.name())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public Listing list(Kind<?> kind, Selection selection) {
        try {
            return list(kind, selection, PAGE);
        } catch (StatusError e) {
            if (!e.is(StatusError.Reason.EXPIRED)) {
                throw e;
            }
            // The pages took longer than the server remembers: take all in one.
            return list(kind, selection, 0);
        }
    }

    private Listing list(Kind<?> kind, Selection selection, int limit) {
        var items = new ArrayList<Resource>();
        var path = RemotePath.of(kind, selection).with("limit", limit == 0 ? "" : Integer.toString(limit));
        var page = http.send("GET", path);
        while (true) {
            page.objects("items").forEach(item -> items.add(resource(kind, item)));
            var more = page.string("metadata", "continue");
            if (more.isEmpty()) {
                return new Listing(page.string("metadata", "resourceVersion"), items);
            }
            page = http.send("GET", path.with("continue", more));
        }
    }

    @Override
    public Watch watch(Kind<?> kind, Selection selection, String afterResourceVersion) {
        var path = RemotePath.of(kind, selection)
                .with("watch", "true")
                .with("allowWatchBookmarks", "true")
                .with("resourceVersion", afterResourceVersion);
        return http.watch(path, object -> resource(kind, object));
    }

    @Override
    public Resource create(Kind<?> kind, Resource object, WriteOptions options) {
        // A subresource is one of an object that is there: a token of an account, the eviction of a pod.
        var path = options.subresource().isEmpty()
                ? RemotePath.ofAll(kind, object.cluster(), object.namespace())
                : RemotePath.of(kind, ObjectName.of(object));
        return resource(kind, http.send("POST", path.with(options), typed(kind, object.json())));
    }

    @Override
    public Resource update(Kind<?> kind, Resource object, WriteOptions options) {
        var path = RemotePath.of(kind, ObjectName.of(object)).with(options);
        return resource(kind, http.send("PUT", path, typed(kind, object.json())));
    }

    @Override
    public Resource patch(Kind<?> kind, ObjectName name, Patch patch, WriteOptions options) {
        var path = RemotePath.of(kind, name).with(options);
        return resource(kind, http.send("PATCH", path, patch.mediaType(), patch.body()));
    }

    @Override
    public void delete(Kind<?> kind, ObjectName name, DeleteOptions options) {
        http.send("DELETE", RemotePath.of(kind, name), options.json());
    }

    @Override
    public boolean hasLogicalClusters() {
        return false;
    }

    private static Resource resource(Kind<?> kind, Json.Obj json) {
        return Resource.of(typed(kind, json));
    }

    /// Items of lists come without their type, which is that of the list.
    private static Json.Obj typed(Kind<?> kind, Json.Obj json) {
        if (json.has("apiVersion") && json.has("kind")) {
            return json;
        }
        var builder = Json.Obj.builder().put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        json.forEach(builder::put);
        return builder.build();
    }

    @Override
    public void close() {
        http.close();
    }
}
