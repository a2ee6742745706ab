package dev.towtank.apiserver.http;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.auth.Authenticator;
import dev.towtank.apiserver.auth.Authenticator.Credentials;
import dev.towtank.apiserver.auth.Authenticator.Identity;
import dev.towtank.apiserver.auth.Impersonation;
import dev.towtank.model.GroupResource;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/// Finds out who a request comes from and which logical cluster it speaks to.
record Callers(Authenticator authenticator, Impersonation impersonation) {

    private static final String BEARER = "bearer ";
    private static final String IMPERSONATE = "impersonate-";

    record Caller(User user, LogicalCluster cluster) {
        boolean isMaster() {
            return user.groups().contains(User.MASTERS);
        }
    }

    /// @param trace learns who it is, also when they are refused
    /// @throws StatusError Unauthorized for wrong credentials, and for those of another cluster
    Caller identify(Request request, RequestPath path, Trace trace) {
        var identity = authenticator
                .authenticate(new Credentials(certificates(request), bearerToken(request)))
                .orElseGet(() -> new Identity(User.ANONYMOUS, Optional.empty()));
        trace.user(identity.user());
        var own = identity.cluster();
        if (own.isPresent() && path.cluster().isPresent() && !own.equals(path.cluster())) {
            // Nobody of that cluster: to it the token is one that somebody made up.
            throw StatusError.unauthorized();
        }
        var cluster = own.or(path::cluster).orElse(LogicalCluster.DEFAULT);
        trace.cluster(cluster);
        var wish = wish(request);
        if (wish.isNone()) {
            return new Caller(identity.user(), cluster);
        }
        var user = impersonation.apply(identity.user(), cluster, wish);
        trace.impersonated(user);
        return new Caller(user, cluster);
    }

    /// Where nobody need show who they are, whoever does must not lie.
    ///
    /// @throws StatusError Unauthorized for a wrong token
    void checkToken(Request request) {
        var token = bearerToken(request);
        if (!token.isEmpty()) {
            var _ = authenticator.authenticate(new Credentials(List.of(), token));
        }
    }

    /// Who the caller wants to be instead, from the headers that kubectl's `--as` sends.
    private static Impersonation.Wish wish(Request request) {
        var groups = new ArrayList<String>();
        var extra = new HashMap<String, List<String>>();
        var user = "";
        var uid = "";
        for (var field : request.getHeaders()) {
            var name = field.getName().toLowerCase(Locale.ROOT);
            var value = String.valueOf(field.getValue());
            if (name.equals(IMPERSONATE + "user")) {
                user = value;
            } else if (name.equals(IMPERSONATE + "uid")) {
                uid = value;
            } else if (name.equals(IMPERSONATE + "group")) {
                groups.add(value);
            } else if (name.startsWith(IMPERSONATE + "extra-")) {
                var key = URLDecoder.decode(
                        name.substring((IMPERSONATE + "extra-").length()).replace("+", "%2B"), StandardCharsets.UTF_8);
                extra.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
            }
        }
        return new Impersonation.Wish(user, uid, groups, extra);
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
