package dev.towtank.app.engine;

import dev.towtank.app.client.ApiClient;
import dev.towtank.app.client.Connection;
import dev.towtank.app.client.SmallKubectl;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/// A kubectl for pods of a machine that has none. What is in the pod is a script that hands its arguments, its files
/// and
/// the pod's token to this socket and prints what comes back; the requests are made here, with that token and no right
/// beyond.
///
/// Both ways go frames: a letter, a length, a line feed, and so many bytes.
final class KubectlService implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(KubectlService.class.getName());
    private static final String SCRIPT = "kubectl";
    private static final String SOCKET = "socket";
    private static final Path PERL = Path.of("/usr/bin/perl");
    private static final int AT_ONCE = 64;
    private static final int LARGEST = 8 << 20;
    private static final int MOST_FRAMES = 1000;
    private static final int LONGEST_HEAD = 16;

    private final ServerSocketChannel socket;
    private final URI server;
    private final String authority;
    private final Semaphore room = new Semaphore(AT_ONCE);

    private KubectlService(ServerSocketChannel socket, URI server, String authority) {
        this.socket = socket;
        this.server = server;
        this.authority = authority;
    }

    /// What the image map may give to containers, by the names it uses; nothing where the script cannot run.
    static Map<String, Path> programs(Path directory) {
        if (!Files.isExecutable(PERL)) {
            return Map.of();
        }
        var script = directory.resolve(SCRIPT);
        // Not as oc: for that, images name the machine's kubectl next, which can do more.
        return Map.of(
                "kubectl", script,
                "towtank-kubectl", script,
                "towtank-kubectl-socket", directory.resolve(SOCKET));
    }

    /// @param directory its own
    /// @param authority the certificate by which the server is known, as text
    /// @return empty where it cannot be; the reason is logged
    static Optional<KubectlService> open(Path directory, URI server, String authority) {
        try {
            Files.createDirectories(directory);
            var script = directory.resolve(SCRIPT);
            try (var in = KubectlService.class.getResourceAsStream("kubectl.pl")) {
                if (in == null) {
                    throw new IllegalStateException("kubectl.pl is not where it was built into");
                }
                Files.write(script, in.readAllBytes());
            }
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
            var path = directory.resolve(SOCKET);
            Files.deleteIfExists(path);
            var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                socket.bind(UnixDomainSocketAddress.of(path));
            } catch (IOException e) {
                socket.close();
                throw e;
            }
            var service = new KubectlService(socket, server, authority);
            Thread.ofVirtual().name("kubectl").start(service::accept);
            return Optional.of(service);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "pods have no kubectl of ours: {0}", e.toString());
            return Optional.empty();
        }
    }

    private void accept() {
        while (socket.isOpen()) {
            try {
                room.acquire();
                var client = socket.accept();
                Thread.ofVirtual().name("kubectl").start(() -> serve(client));
            } catch (IOException e) {
                room.release();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            var in = new DataInputStream(Channels.newInputStream(client));
            var frames = new Frames(Channels.newOutputStream(client));
            int code = run(Request.read(in), frames);
            frames.write('X', Integer.toString(code).getBytes(StandardCharsets.UTF_8));
        } catch (IOException | UncheckedIOException e) {
            LOG.log(Level.DEBUG, "a kubectl of a pod went away: {0}", e.toString());
        } finally {
            room.release();
        }
    }

    private int run(Request request, Frames frames) {
        var namespace = request.namespace.isBlank() ? "default" : request.namespace.strip();
        var connection =
                new Connection(server, Connection.trusting(authority), Optional.of(request.token.strip()), namespace);
        var out = new PrintStream(frames.stream('O'), true, StandardCharsets.UTF_8);
        var err = new PrintStream(frames.stream('E'), true, StandardCharsets.UTF_8);
        try (var api = new ApiClient(connection)) {
            return new SmallKubectl(api, request.files, out, err).run(request.arguments);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the socket of kubectl was not closed: {0}", e.toString());
        }
    }

    /// @param files contents by name
    private record Request(String token, String namespace, List<String> arguments, Map<String, String> files) {

        static Request read(DataInputStream in) throws IOException {
            var token = "";
            var namespace = "";
            var file = "";
            var arguments = new ArrayList<String>();
            var files = new HashMap<String, String>();
            int left = LARGEST;
            for (int i = 0; i < MOST_FRAMES; i++) {
                char type = (char) in.readUnsignedByte();
                int length = length(in);
                left -= length;
                if (left < 0) {
                    break;
                }
                var text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
                switch (type) {
                    case 'T' -> token = text;
                    case 'N' -> namespace = text;
                    case 'A' -> arguments.add(text);
                    case 'F' -> file = text;
                    case 'C' -> files.put(file, text);
                    case 'G' -> {
                        return new Request(token, namespace, arguments, files);
                    }
                    default -> throw new IOException("a frame of an unknown kind");
                }
            }
            throw new IOException("more was sent than any command needs");
        }

        private static int length(InputStream in) throws IOException {
            int length = 0;
            for (int i = 0; i < LONGEST_HEAD; i++) {
                int next = in.read();
                if (next == '\n') {
                    return length;
                }
                if (next < '0' || next > '9' || length > LARGEST) {
                    break;
                }
                length = length * 10 + next - '0';
            }
            throw new IOException("a frame without a length");
        }

        @Override
        public String toString() {
            return "Request" + arguments; // the token is secret
        }
    }

    /// Whoever writes to one that has gone away must stop, and a PrintStream passes on no other exception.
    private static final class Frames {
        private final OutputStream out;

        Frames(OutputStream out) {
            this.out = out;
        }

        synchronized void write(char type, byte[] bytes) {
            try {
                out.write((type + Integer.toString(bytes.length) + "\n").getBytes(StandardCharsets.UTF_8));
                out.write(bytes);
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        OutputStream stream(char type) {
            return new OutputStream() {
                @Override
                public void write(int value) {
                    Frames.this.write(type, new byte[] {(byte) value});
                }

                @Override
                public void write(byte[] bytes, int offset, int length) {
                    Frames.this.write(type, Arrays.copyOfRange(bytes, offset, offset + length));
                }
            };
        }
    }
}
