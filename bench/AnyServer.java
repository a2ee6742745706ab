import java.net.Socket;
import java.net.http.HttpClient;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/// A client that believes any server: the certificate is not what is measured here.
final class AnyServer {

    private AnyServer() {}

    static HttpClient client() throws Exception {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(tls()).build();
    }

    static SSLSocketFactory sockets() throws Exception {
        return tls().getSocketFactory();
    }

    private static SSLContext tls() throws Exception {
        var tls = SSLContext.getInstance("TLS");
        tls.init(null, new X509ExtendedTrustManager[] {new TrustAll()}, null);
        return tls;
    }

    private static final class TrustAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
