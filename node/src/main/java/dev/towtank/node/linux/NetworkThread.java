package dev.towtank.node.linux;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The one thread of root's server that goes into networks beside the machine's, for work that is short and starts
/// nothing.
public final class NetworkThread implements NetworkDoors {

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("networks").factory());

    private interface Work<T> {
        T run() throws IOException;
    }

    @Override
    public NetworkNamespace make() throws IOException {
        return await(() -> {
            try {
                return NetworkNamespace.create();
            } finally {
                NetworkNamespace.goHome();
            }
        });
    }

    @Override
    public NetworkNamespace open(Path link) throws IOException {
        return new NetworkNamespace(Descriptors.open(link, 0, 0), OptionalInt.empty());
    }

    @Override
    public Netlink links(NetworkNamespace network) throws IOException {
        return in(network, Netlink::open);
    }

    @Override
    public void set(NetworkNamespace network, List<Setting> settings) throws IOException {
        var _ = in(network, () -> {
            for (var setting : settings) {
                Files.writeString(SETTINGS.resolve(setting.name()), setting.value());
            }
            return settings;
        });
    }

    @Override
    public Socket socket(NetworkNamespace network) throws IOException {
        return in(network, SocketChannel::open).socket();
    }

    @Override
    public List<ServerSocket> listen(
            NetworkNamespace network, InetAddress address, Collection<Integer> ports, int backlog) throws IOException {
        return in(network, () -> {
            var opened = new ArrayList<ServerSocket>();
            for (int port : ports) {
                try {
                    opened.add(new ServerSocket(port, backlog, address));
                } catch (IOException e) {
                    // somebody in there uses that port
                }
            }
            return opened;
        });
    }

    @Override
    public DatagramSocket datagrams(NetworkNamespace network, InetAddress address, int port) throws IOException {
        return in(network, () -> new DatagramSocket(port, address));
    }

    @Override
    public void run(NetworkNamespace network, List<String> program, String input) throws IOException {
        ShortProgram.run(program, input, arguments -> in(network, () -> Spawn.start(arguments)));
    }

    private <T> T in(NetworkNamespace network, Work<T> work) throws IOException {
        return await(() -> {
            try {
                network.enter();
                return work.run();
            } finally {
                network.leave();
            }
        });
    }

    private <T> T await(Work<T> work) throws IOException {
        var task = thread.submit(work::run);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get(); // it is short, and what it makes must have an owner
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException problem -> throw problem;
                case RuntimeException problem -> throw problem;
                case null, default -> throw new IllegalStateException(e);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
