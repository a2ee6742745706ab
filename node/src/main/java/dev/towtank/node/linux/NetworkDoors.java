package dev.towtank.node.linux;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/// The way into networks beside the machine's: who opens something in there can use it from anywhere.
public interface NetworkDoors extends AutoCloseable {

    Path SETTINGS = Path.of("/proc/sys/net");

    /// A new one, in which nothing is.
    NetworkNamespace make() throws IOException;

    /// The one of that name, if a process is in there.
    NetworkNamespace open(Path link) throws IOException;

    Netlink links(NetworkNamespace network) throws IOException;

    /// @param name below `/proc/sys/net`
    record Setting(String name, String value) {}

    void set(NetworkNamespace network, List<Setting> settings) throws IOException;

    /// One that is not connected yet.
    Socket socket(NetworkNamespace network) throws IOException;

    /// Those ports that nobody has.
    List<ServerSocket> listen(NetworkNamespace network, InetAddress address, Collection<Integer> ports, int backlog)
            throws IOException;

    DatagramSocket datagrams(NetworkNamespace network, InetAddress address, int port) throws IOException;

    /// Runs a program in there that has rights over it, to its end.
    ///
    /// @param input what it reads
    /// @throws IOException with what it said, when it failed
    void run(NetworkNamespace network, List<String> program, String input) throws IOException;

    @Override
    void close();
}
