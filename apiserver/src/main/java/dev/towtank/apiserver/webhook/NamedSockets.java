package dev.towtank.apiserver.webhook;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Sockets to a server that must show a certificate for one name, whatever address it is reached by.
final class NamedSockets extends SSLSocketFactory {

    private final SSLSocketFactory sockets;
    private final String serverName;

    private NamedSockets(SSLSocketFactory sockets, String serverName) {
        this.sockets = sockets;
        this.serverName = serverName;
    }

    /// @param authorities certificates in PEM, in base64; where there are none, those that the machine trusts
    static NamedSockets trusting(String authorities, String serverName) throws WebhookClient.Failed {
        try {
            var context = SSLContext.getInstance("TLS");
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities(authorities));
            context.init(null, trust.getTrustManagers(), null);
            return new NamedSockets(context.getSocketFactory(), serverName);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new WebhookClient.Failed("unable to load root certificates: unable to parse bytes as PEM block");
        }
    }

    private static @Nullable KeyStore authorities(String base64) throws GeneralSecurityException, IOException {
        var pem = Base64.getMimeDecoder().decode(base64);
        if (new String(pem, java.nio.charset.StandardCharsets.ISO_8859_1).isBlank()) {
            return null;
        }
        var certificates = CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
        if (certificates.isEmpty()) {
            throw new IOException("no certificate");
        }
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int count = 0;
        for (var certificate : certificates) {
            store.setCertificateEntry("authority-" + count++, certificate);
        }
        return store;
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        var secure = (SSLSocket) sockets.createSocket(socket, serverName, port, autoClose);
        var parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        return secure;
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return sockets.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return sockets.getSupportedCipherSuites();
    }

    // Connections are made by whoever asks, and only then given over; see HttpsURLConnection.
    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw new SocketException("only around a connected socket");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return createSocket("", port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        return createSocket("", port);
    }
}
