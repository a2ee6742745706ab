import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.FileInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyStore;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// What the machine gives without us: how often a file can be appended to durably, and how fast the JDK's own HTTPS
/// server answers with so many bytes.
final class Baseline {

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("fsync")) {
            System.out.println(fsyncs(Path.of(arguments[1]), Integer.parseInt(arguments[2])));
        } else {
            serve(Path.of(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        }
    }

    private static long fsyncs(Path file, int seconds) throws Exception {
        var kilobyte = new byte[1024];
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long end = System.nanoTime() + seconds * 1_000_000_000L;
            long count = 0;
            while (System.nanoTime() < end) {
                channel.write(ByteBuffer.wrap(kilobyte));
                channel.force(false);
                count++;
            }
            return count / seconds;
        }
    }

    private static void serve(Path keys, int small, int large) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        try (var in = new FileInputStream(keys.toFile())) {
            store.load(in, "baseline".toCharArray());
        }
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, "baseline".toCharArray());
        var tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(Executors.newFixedThreadPool(32));
        answer(server, "/small", new byte[small]);
        answer(server, "/large", new byte[large]);
        server.start();
        System.out.println(server.getAddress().getPort());
    }

    private static void answer(HttpsServer server, String path, byte[] body) {
        server.createContext(path, exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
    }
}
