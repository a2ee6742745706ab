package dev.towtank.node.linux;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.DatagramSocketImpl;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOptions;
import org.jspecify.annotations.Nullable;

/// An [OpenedSocket] as Java's sockets for datagrams know it.
final class OpenedDatagrams extends DatagramSocketImpl {

    private static final int SOCKETS = 1; // SOL_SOCKET
    private final OpenedSocket socket;
    private volatile int patienceMillis;

    private OpenedDatagrams(OpenedSocket socket) {
        this.socket = socket;
    }

    /// @param opened a socket that is not bound
    static DatagramSocket of(OpenedSocket opened, InetAddress address, int port) throws IOException {
        var made = new DatagramSocket(new OpenedDatagrams(opened)) {};
        try {
            made.bind(new InetSocketAddress(address, port));
            return made;
        } catch (IOException e) {
            made.close();
            throw e;
        }
    }

    @Override
    protected void create() {
        // it is open already
    }

    @Override
    protected void bind(int port, InetAddress address) throws SocketException {
        try {
            socket.bind(address, port);
            localPort = socket.local().getPort();
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw (SocketException) new SocketException(e.getMessage()).initCause(e);
        }
    }

    @Override
    protected void connect(InetAddress address, int port) throws SocketException {
        try {
            socket.connect(new InetSocketAddress(address, port), 0);
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw (SocketException) new SocketException(e.getMessage()).initCause(e);
        }
    }

    @Override
    protected void send(DatagramPacket packet) throws IOException {
        socket.send(
                packet.getData(),
                packet.getOffset(),
                packet.getLength(),
                new InetSocketAddress(packet.getAddress(), packet.getPort()));
    }

    @Override
    protected void receive(DatagramPacket packet) throws IOException {
        var received = socket.receive(packet.getData(), packet.getOffset(), packet.getLength(), patienceMillis);
        packet.setSocketAddress(received.from());
        packet.setLength(received.length());
    }

    @Override
    protected int peek(InetAddress address) throws IOException {
        throw new IOException("nobody looks without taking");
    }

    @Override
    protected int peekData(DatagramPacket packet) throws IOException {
        throw new IOException("nobody looks without taking");
    }

    @Override
    @Deprecated
    @SuppressWarnings("removal")
    protected void setTTL(byte ttl) {}

    @Override
    @Deprecated
    @SuppressWarnings({"removal", "InlineMeSuggester"}) // the class above wants it
    protected byte getTTL() {
        return 1;
    }

    @Override
    protected void setTimeToLive(int ttl) {}

    @Override
    protected int getTimeToLive() {
        return 1;
    }

    @Override
    protected void join(InetAddress address) throws IOException {
        throw new IOException("there are no groups here");
    }

    @Override
    protected void leave(InetAddress address) throws IOException {
        throw new IOException("there are no groups here");
    }

    @Override
    protected void joinGroup(SocketAddress address, @Nullable NetworkInterface link) throws IOException {
        throw new IOException("there are no groups here");
    }

    @Override
    protected void leaveGroup(SocketAddress address, @Nullable NetworkInterface link) throws IOException {
        throw new IOException("there are no groups here");
    }

    @Override
    protected void close() {
        socket.close();
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        if (option == SocketOptions.SO_TIMEOUT) {
            patienceMillis = (Integer) value;
        } else if (option != SocketOptions.SO_BROADCAST && option != SocketOptions.SO_REUSEADDR) {
            throw new SocketException("the option " + option + " is not known here");
        }
    }

    @Override
    public Object getOption(int option) throws SocketException {
        try {
            return switch (option) {
                case SocketOptions.SO_TIMEOUT -> patienceMillis;
                case SocketOptions.SO_BINDADDR -> socket.local().getAddress();
                case SocketOptions.SO_RCVBUF -> socket.option(SOCKETS, 8);
                case SocketOptions.SO_SNDBUF -> socket.option(SOCKETS, 7);
                case SocketOptions.SO_REUSEADDR, SocketOptions.SO_BROADCAST -> false;
                default -> throw new SocketException("the option " + option + " is not known here");
            };
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw (SocketException) new SocketException(e.getMessage()).initCause(e);
        }
    }
}
