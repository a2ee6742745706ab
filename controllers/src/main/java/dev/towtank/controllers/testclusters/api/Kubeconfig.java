package dev.towtank.controllers.testclusters.api;

import dev.towtank.model.LogicalCluster;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// The way into a cluster, as a file that every client reads.
///
/// @param server the cluster's address
/// @param authority who signed the server's certificate, as PEM
/// @param token secret
public record Kubeconfig(String server, String authority, String namespace, String token) {

    /// Of a cluster of this server.
    ///
    /// @param address of the server
    public static String server(String address, LogicalCluster cluster) {
        return cluster.equals(LogicalCluster.DEFAULT) ? address : address + "/clusters/" + cluster;
    }

    public String text() {
        var encoded = Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII));
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: cluster
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                users:
                - name: admin
                  user:
                    token: %s
                contexts:
                - name: admin
                  context:
                    cluster: cluster
                    namespace: %s
                    user: admin
                current-context: admin
                """.formatted(server, encoded, token, namespace);
    }

    @Override
    public String toString() {
        return "kubeconfig of " + server;
    }
}
