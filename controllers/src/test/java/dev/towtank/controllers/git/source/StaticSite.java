package dev.towtank.controllers.git.source;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;
import org.jspecify.annotations.Nullable;

/// The files of a folder on the web, and the git repositories in it.
public final class StaticSite implements AutoCloseable {

    private final Path folder;
    private final HttpServer server;

    /// @param tls null for a site without
    public StaticSite(Path folder, @Nullable SSLContext tls) throws IOException {
        this.folder = folder;
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls == null) {
            server = HttpServer.create(address, 0);
        } else {
            var safe = HttpsServer.create(address, 0);
            safe.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = safe;
        }
        server.createContext("/", this::answer);
        server.start();
    }

    /// Without a slash at the end.
    public String address() {
        return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var repository = folder.resolve("." + path.replaceFirst("/(info/refs|git-upload-pack)$", ""));
        if (path.endsWith("/info/refs") && Files.isDirectory(repository)) {
            reply(exchange, advertised(repository));
        } else if (path.endsWith("/git-upload-pack") && Files.isDirectory(repository)) {
            reply(exchange, packed(repository, question(exchange)));
        } else {
            var file = folder.resolve("." + path).normalize();
            reply(exchange, file.startsWith(folder) && Files.isRegularFile(file) ? Files.readAllBytes(file) : null);
        }
    }

    private static InputStream question(HttpExchange exchange) throws IOException {
        boolean isZipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        return isZipped ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody();
    }

    private static void reply(HttpExchange exchange, byte @Nullable [] content) throws IOException {
        if (exchange.getRequestURI().getPath().endsWith("/info/refs")) {
            exchange.getResponseHeaders().add("Content-Type", "application/x-git-upload-pack-advertisement");
        } else if (exchange.getRequestURI().getPath().endsWith("/git-upload-pack")) {
            exchange.getResponseHeaders().add("Content-Type", "application/x-git-upload-pack-result");
        }
        exchange.sendResponseHeaders(content == null ? 404 : 200, content == null ? -1 : content.length);
        if (content != null) {
            exchange.getResponseBody().write(content);
        }
        exchange.close();
    }

    private static byte[] advertised(Path place) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var git = Git.open(place.toFile())) {
            var lines = new PacketLineOut(out);
            lines.writeString("# service=git-upload-pack\n");
            lines.end();
            var pack = new UploadPack(git.getRepository());
            pack.setBiDirectionalPipe(false);
            pack.sendAdvertisedRefs(new RefAdvertiser.PacketLineOutRefAdvertiser(lines));
        }
        return out.toByteArray();
    }

    private static byte[] packed(Path place, InputStream question) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var git = Git.open(place.toFile())) {
            var pack = new UploadPack(git.getRepository());
            pack.setBiDirectionalPipe(false);
            pack.upload(question, out, null);
        }
        return out.toByteArray();
    }

    /// Makes a commit of all files in a folder, on the branch main.
    public static void commit(Path folder) throws IOException {
        try (var git = Git.init()
                .setDirectory(folder.toFile())
                .setInitialBranch("main")
                .call()) {
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("first")
                    .setAuthor("a", "a@b")
                    .setCommitter("a", "a@b")
                    .setSign(false)
                    .call();
        } catch (GitAPIException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
