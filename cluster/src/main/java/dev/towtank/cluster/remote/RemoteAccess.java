package dev.towtank.cluster.remote;

/// Where a cluster is, and as whom to come. All but the server may be empty.
///
/// @param authority certificates in PEM by which the server is known; empty for those of the machine
/// @param certificate of a client, in PEM, with its key
public record RemoteAccess(
        String server, String authority, String token, String certificate, String key, String user, String password) {

    @Override
    public String toString() {
        return server; // the rest is secret
    }
}
