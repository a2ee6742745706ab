package dev.towtank.apiserver.http;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.auth.Authenticator;
import dev.towtank.apiserver.auth.Authenticator.Credentials;
import dev.towtank.apiserver.auth.Authenticator.Identity;
import dev.towtank.model.GroupResource;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/// Finds out who a request comes from and which logical cluster it speaks to.
record Callers(Authenticator authenticator) {

    private static final String BEARER = "bearer ";
    private static final String IMPERSONATE = "impersonate-";

    record Caller(User user, LogicalCluster cluster) {
        boolean isMaster() {
            return user.groups().contains(User.MASTERS);
        }
    }

    /// @throws StatusError Unauthorized for wrong credentials, Forbidden for another cluster than theirs
    Caller identify(Request request, RequestPath path) {
        var identity = authenticator
                .authenticate(new Credentials(certificates(request), bearerToken(request)))
                .orElseGet(() -> new Identity(User.ANONYMOUS, Optional.empty()));
        refuseImpersonation(request, identity.user());
        var own = identity.cluster();
        if (own.isPresent() && path.cluster().isPresent() && !own.equals(path.cluster())) {
            throw forbidden("User \"" + identity.user().name() + "\" belongs to logical cluster \"" + own.get()
                    + "\" and cannot use logical cluster \""
                    + path.cluster().get() + "\"");
        }
        return new Caller(identity.user(), own.or(path::cluster).orElse(LogicalCluster.DEFAULT));
    }

    private static void refuseImpersonation(Request request, User user) {
        for (var field : request.getHeaders()) {
            if (field.getName().toLowerCase(Locale.ROOT).startsWith(IMPERSONATE)) {
                throw forbidden("User \"" + user.name() + "\" cannot impersonate: this server does not support "
                        + field.getName() + " headers; use credentials of the user itself");
            }
        }
    }

    static StatusError forbidden(String why) {
        return StatusError.forbidden(new GroupResource("", ""), "", why);
    }

    private static List<X509Certificate> certificates(Request request) {
        var session =
                request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
        var chain = session == null ? null : session.peerCertificates();
        return chain == null ? List.of() : List.of(chain);
    }

    private static String bearerToken(Request request) {
        var header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? header.substring(BEARER.length()).strip()
                : "";
    }
}
