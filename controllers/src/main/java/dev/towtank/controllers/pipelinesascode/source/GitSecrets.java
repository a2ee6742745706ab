package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.patch.Patch;
import java.net.URI;
import java.security.SecureRandom;
import java.util.ArrayList;

/// The Secret by which the tasks of a run may clone a private repository.
final class GitSecrets {

    private static final SecureRandom CHANCE = new SecureRandom();

    private GitSecrets() {}

    static String name() {
        var name = new StringBuilder("pac-gitauth-");
        for (int i = 0; i < 6; i++) {
            name.append((char) ('a' + CHANCE.nextInt(26)));
        }
        return name.toString();
    }

    /// @param user empty for the one that forges take together with any token
    record Credentials(String url, String user, String token) {

        Credentials {
            user = user.isEmpty() ? "git" : user;
        }

        @Override
        public String toString() {
            return user + " at " + url;
        }
    }

    /// It goes with the run.
    static void create(Cluster cluster, Resource run, String name, Credentials credentials) {
        var address = URI.create(credentials.url());
        var host = address.getScheme() + "://" + address.getAuthority();
        var withToken = address.getScheme() + "://" + Forges.encoded(credentials.user()) + ":"
                + Forges.encoded(credentials.token()) + "@" + address.getAuthority();
        var data = Json.Obj.builder()
                .put(".gitconfig", "[credential \"" + host + "\"]\n\thelper=store\n")
                .put(".git-credentials", withToken + address.getPath() + "\n")
                .put("git-provider-token", credentials.token())
                .build();
        var secret = Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Secret")
                .put(
                        "metadata",
                        Json.Obj.builder()
                                .put("name", name)
                                .put("namespace", run.namespace())
                                .put(
                                        "labels",
                                        Json.Obj.of(
                                                "app.kubernetes.io/managed-by", Json.of("pipelinesascode.tekton.dev")))
                                .put(
                                        "ownerReferences",
                                        Json.Arr.of(run.asOwner(false).json()))
                                .build())
                .put("stringData", data)
                .build();
        try {
            cluster.create(Secrets.KIND, new Resource(run.cluster(), secret), Cluster.WriteOptions.DEFAULT);
        } catch (StatusError e) {
            if (!e.is(StatusError.Reason.ALREADY_EXISTS)) {
                throw e;
            }
            share(cluster, run, name);
        }
    }

    /// The runs of one event share it, and the last of them takes it away.
    private static void share(Cluster cluster, Resource run, String name) {
        var present = new ObjectName(run.cluster(), run.namespace(), name);
        cluster.get(Secrets.KIND, present).ifPresent(secret -> {
            var owners = new ArrayList<Json>(secret.metadata().objects("ownerReferences"));
            owners.add(run.asOwner(false).json());
            var fields = Json.Obj.of("metadata", Json.Obj.of("ownerReferences", new Json.Arr(owners)));
            cluster.patch(Secrets.KIND, present, new Patch.Merge(fields), Cluster.WriteOptions.DEFAULT);
        });
    }
}
