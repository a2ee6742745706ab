package dev.towtank.apiserver.pki;

import dev.towtank.model.Names;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The names and addresses under which clients may know the server.
final class ServerNames {
    private static final List<String> ALWAYS = List.of(
            "localhost",
            "127.0.0.1",
            "::1",
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local");

    private ServerNames() {}

    /// Ours and the given ones. What is neither an address nor a DNS name has no place in a certificate and is left
    /// out.
    static Set<String> with(Collection<String> more) {
        var names = new LinkedHashSet<>(ALWAYS);
        for (var name : more) {
            var lower = name.toLowerCase(Locale.ROOT);
            if (isAddress(lower) || Names.dnsSubdomain(lower).isEmpty()) {
                names.add(lower);
            }
        }
        return names;
    }

    static boolean isAddress(String name) {
        try {
            InetAddress.ofLiteral(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static boolean coveredBy(X509Certificate certificate, Collection<String> names) {
        var covered = new LinkedHashSet<String>();
        try {
            var alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                alternatives.forEach(each -> covered.add(canonical(String.valueOf(each.get(1)))));
            }
        } catch (CertificateParsingException e) {
            return false;
        }
        return names.stream().map(ServerNames::canonical).allMatch(covered::contains);
    }

    // An IPv6 address has many spellings.
    private static String canonical(String name) {
        return isAddress(name) ? InetAddress.ofLiteral(name).getHostAddress() : name;
    }
}
