package dev.towtank.apiserver.webhook;

import java.net.URI;

/// Where a webhook is: what it is called, and the host and port that answer under that name.
///
/// @param uri as its configuration has it; for a service the host is the service's name in the cluster
/// @param host to connect to
record Endpoint(URI uri, String host, int port) {

    static Endpoint of(URI uri) {
        return new Endpoint(uri, host(uri), uri.getPort() < 0 ? 443 : uri.getPort());
    }

    /// The name that the server's certificate must have.
    String serverName() {
        return host(uri);
    }

    /// Whether the name is only a name inside the cluster.
    boolean isService() {
        return !host.equals(host(uri));
    }

    private static String host(URI uri) {
        var host = uri.getHost() == null ? "" : uri.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }
}
