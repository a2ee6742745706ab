package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.User;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.naming.InvalidNameException;
import javax.naming.NamingException;
import javax.naming.ldap.LdapName;

/// Reads the user from a client certificate: the common name is the user, the organizations are the groups.
///
/// TLS has verified the chain against our own authority before a request gets here, so the names can be believed. An
/// organizational unit `towtank.dev:cluster:<id>` limits the certificate to one logical cluster.
public final class CertificateAuthenticator implements Authenticator {

    public static final String CLUSTER_UNIT_PREFIX = "towtank.dev:cluster:";

    @Override
    public Optional<Identity> authenticate(Credentials credentials) {
        return credentials.certificates().isEmpty()
                ? Optional.empty()
                : identity(credentials.certificates().getFirst());
    }

    private static Optional<Identity> identity(X509Certificate certificate) {
        var subject = subject(certificate);
        var names = values(subject, "CN");
        if (names.isEmpty() || names.getLast().isEmpty()) {
            return Optional.empty();
        }
        Set<String> groups = new TreeSet<>(values(subject, "O"));
        groups.add(User.ALL_AUTHENTICATED);
        // The name closest to the holder is the last one in certificate order.
        var user = new User(names.getLast(), "", groups, Map.of());
        return Optional.of(new Identity(user, cluster(values(subject, "OU"))));
    }

    private static Optional<LogicalCluster> cluster(List<String> units) {
        for (var unit : units) {
            if (unit.startsWith(CLUSTER_UNIT_PREFIX)) {
                var id = unit.substring(CLUSTER_UNIT_PREFIX.length());
                if (!LogicalCluster.isValid(id)) {
                    // A limit that cannot be read must never mean "no limit".
                    throw StatusError.unauthorized();
                }
                return Optional.of(new LogicalCluster(id));
            }
        }
        return Optional.empty();
    }

    private static LdapName subject(X509Certificate certificate) {
        try {
            return new LdapName(certificate.getSubjectX500Principal().getName());
        } catch (InvalidNameException e) {
            throw StatusError.unauthorized();
        }
    }

    /// The values of an attribute in the order of the certificate.
    private static List<String> values(LdapName subject, String attribute) {
        var found = new ArrayList<String>();
        try {
            // An LdapName counts from the end of its text, which is the beginning of the certificate's sequence.
            for (var part : subject.getRdns()) {
                var values = part.toAttributes().get(attribute);
                for (int i = 0; values != null && i < values.size(); i++) {
                    if (values.get(i) instanceof String text) {
                        found.add(text);
                    }
                }
            }
        } catch (NamingException e) {
            throw StatusError.unauthorized();
        }
        return found;
    }
}
