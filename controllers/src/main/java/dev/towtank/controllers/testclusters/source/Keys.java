package dev.towtank.controllers.testclusters.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Ground;
import dev.towtank.controllers.testclusters.api.Kubeconfig;
import dev.towtank.controllers.testclusters.logical.Delivery;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.security.SecureRandom;

/// Makes the credentials of clusters. What it returns is secret.
public final class Keys {

    private static final String ALPHABET = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private static final int GROUPS = 4;
    private static final int GROUP = 5;

    private final Cluster cluster;
    private final Ground ground;
    private final SecureRandom random = new SecureRandom();

    public Keys(Cluster cluster, Ground ground) {
        this.cluster = cluster;
        this.ground = ground;
    }

    public String address() {
        return ground.address().get().toString();
    }

    public Json issue(Delivery.Issue deed) {
        var request = Json.Obj.builder()
                .put("apiVersion", "authentication.k8s.io/v1")
                .put("kind", "TokenRequest")
                .put(
                        "metadata",
                        Json.Obj.of("namespace", Json.of(deed.accountNamespace()), "name", Json.of(deed.account())))
                .put(
                        "spec",
                        Json.Obj.of("expirationSeconds", Json.of(deed.life().toSeconds())))
                .build();
        var answer = cluster.create(
                ServiceAccounts.KIND, new Resource(deed.cluster(), request), Cluster.WriteOptions.DEFAULT.on("token"));
        var token = answer.status().string("token");
        return Json.Obj.builder()
                .put("kubeconfig", kubeconfig(Kubeconfig.server(address(), deed.cluster()), deed.namespace(), token))
                .put("token", token)
                .put("expires", answer.status().string("expirationTimestamp"))
                .put("password", password())
                .build();
    }

    private String kubeconfig(String server, String namespace, String token) {
        return new Kubeconfig(server, ground.authority(), namespace, token).text();
    }

    /// In the form that installers of OpenShift print.
    private String password() {
        var text = new StringBuilder();
        for (int i = 0; i < GROUPS * GROUP; i++) {
            text.append(i > 0 && i % GROUP == 0 ? "-" : "").append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }
}
