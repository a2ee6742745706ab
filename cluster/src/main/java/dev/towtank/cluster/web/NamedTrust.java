package dev.towtank.cluster.web;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/// Believes a server by the name that it should have, where it is reached by an address that no certificate tells.
final class NamedTrust extends X509ExtendedTrustManager {

    private static final int DNS_NAME = 2;

    private final X509TrustManager chains;
    private final String name;

    NamedTrust(X509TrustManager chains, String name) {
        this.chains = chains;
        this.name = name.toLowerCase(Locale.ROOT);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        chains.checkServerTrusted(chain, authType);
        var alternatives = chain[0].getSubjectAlternativeNames();
        for (var alternative : alternatives == null ? List.<List<?>>of() : alternatives) {
            if (alternative.getFirst().equals(DNS_NAME) && isFor(String.valueOf(alternative.get(1)))) {
                return;
            }
        }
        throw new CertificateException("the certificate is not for " + name);
    }

    // A star stands for one label, the first.
    private boolean isFor(String pattern) {
        var lower = pattern.toLowerCase(Locale.ROOT);
        int dot = name.indexOf('.');
        return lower.equals(name)
                || (lower.startsWith("*.") && dot > 0 && lower.substring(1).equals(name.substring(dot)));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkServerTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkServerTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("clients show no certificates here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return chains.getAcceptedIssuers();
    }
}
