package dev.towtank.model.template.crypto;

import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// Certificates of which each is signed by the next one, as their key identifiers say. Nothing is checked beyond that.
public record CertificateChain(List<X509Certificate> certificates) {
    private static final int MOST = 100;

    public CertificateChain {
        certificates = List.copyOf(certificates);
    }

    /// Those of a text in PEM, put into order.
    public static CertificateChain of(String pem) {
        return ordered(all(pem));
    }

    static List<X509Certificate> all(String pem) {
        var blocks = Pem.read(pem);
        if (blocks.size() > MOST) {
            throw new CryptoError("there are more than " + MOST + " certificates");
        }
        return blocks.stream().map(block -> Certificates.parse(block.content())).toList();
    }

    static CertificateChain ordered(List<X509Certificate> certificates) {
        var above = new java.util.HashMap<X509Certificate, X509Certificate>();
        for (var each : certificates) {
            for (var other : certificates) {
                var authority = Certificates.authorityKey(each);
                if (!each.equals(other)
                        && authority != null
                        && Arrays.equals(authority, Certificates.subjectKey(other))) {
                    above.put(each, other);
                    break;
                }
            }
        }
        var signers = new HashSet<>(above.values());
        var leaves =
                certificates.stream().filter(each -> !signers.contains(each)).toList();
        if (leaves.isEmpty()) {
            throw new CryptoError("no leaf certificate found");
        }
        if (leaves.size() > 1) {
            throw new CryptoError("found multiple leaf or disjunct certificates");
        }
        return new CertificateChain(upwards(leaves.getFirst(), above, certificates.size()));
    }

    private static List<X509Certificate> upwards(
            X509Certificate leaf, Map<X509Certificate, X509Certificate> above, int most) {
        var chain = new ArrayList<X509Certificate>();
        for (var each = leaf; each != null; each = above.get(each)) {
            if (chain.size() == most) {
                throw new CryptoError("constructing chain resulted in cycle");
            }
            chain.add(each);
        }
        return chain;
    }

    /// The leaf, the intermediate ones or the root, in PEM; empty where there is none.
    public String part(String which) {
        var first = certificates.getFirst();
        var last = certificates.getLast();
        return switch (which) {
            case "leaf" -> isRoot(first) ? "" : pem(List.of(first));
            case "intermediate" ->
                pem(certificates.stream()
                        .skip(1)
                        .takeWhile(each -> !isRoot(each))
                        .toList());
            case "root" -> isRoot(last) ? pem(List.of(last)) : "";
            default -> "";
        };
    }

    private static boolean isRoot(X509Certificate certificate) {
        var authority = Certificates.authorityKey(certificate);
        return authority == null || Arrays.equals(authority, Certificates.subjectKey(certificate));
    }

    static String pem(List<X509Certificate> certificates) {
        var out = new StringBuilder();
        try {
            for (var each : certificates) {
                out.append(Pem.write("CERTIFICATE", each.getEncoded()));
            }
        } catch (CertificateEncodingException e) {
            throw new CryptoError("x509: malformed certificate");
        }
        return out.toString();
    }

    /// All names that a certificate is for: hosts, addresses, mail addresses, others.
    public static List<String> names(X509Certificate certificate) {
        var names = new ArrayList<String>();
        try {
            var all = certificate.getSubjectAlternativeNames();
            for (int kind : new int[] {2, 7, 1, 6}) {
                for (var each : all == null ? List.<List<?>>of() : all) {
                    if (each.getFirst().equals(kind)) {
                        names.add(String.valueOf(each.get(1)));
                    }
                }
            }
        } catch (CertificateParsingException e) {
            throw new CryptoError("x509: malformed certificate");
        }
        return names;
    }
}
