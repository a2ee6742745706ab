package dev.towtank.node.linux;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;

/// An [OpenedSocket] as Java's sockets know it.
final class OpenedStream extends SocketImpl {

    private static final int SOCKETS = 1; // SOL_SOCKET
    private static final int TCP = 6;

    // Until the other side has connected, that of somebody who waits for it.
    private volatile OpenedSocket socket;
    private volatile int patienceMillis;

    private OpenedStream(OpenedSocket socket) {
        this.socket = socket;
    }

    /// @param opened a socket that is not connected
    static Socket socket(OpenedSocket opened) throws IOException {
        return new Socket(new OpenedStream(opened)) {};
    }

    /// @param opened a socket that is not bound
    static ServerSocket server(OpenedSocket opened, InetAddress address, int port, int backlog) throws IOException {
        var server = new Listening(new OpenedStream(opened));
        try {
            server.bind(new InetSocketAddress(address, port), backlog);
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    private static final class Listening extends ServerSocket {
        private final OpenedStream listening;

        Listening(OpenedStream listening) {
            super(listening);
            this.listening = listening;
        }

        @Override
        public Socket accept() throws IOException {
            if (isClosed()) {
                throw new SocketException("Socket is closed");
            }
            var stream = new OpenedStream(listening.socket.accept(listening.patienceMillis));
            var remote = stream.socket.remote();
            stream.address = remote.getAddress();
            stream.port = remote.getPort();
            stream.localport = listening.localport;
            return new Accepted(stream, remote);
        }
    }

    /// Java believes of no socket that was given to it that it is connected.
    private static final class Accepted extends Socket {
        private final OpenedStream stream;
        private final InetSocketAddress remote;
        private volatile boolean closed;

        Accepted(OpenedStream stream, InetSocketAddress remote) throws SocketException {
            super(stream);
            this.stream = stream;
            this.remote = remote;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public boolean isBound() {
            return true;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public SocketAddress getRemoteSocketAddress() {
            return remote;
        }

        @Override
        public InetAddress getInetAddress() {
            return remote.getAddress();
        }

        @Override
        public int getPort() {
            return remote.getPort();
        }

        @Override
        public InputStream getInputStream() {
            return stream.getInputStream();
        }

        @Override
        public OutputStream getOutputStream() {
            return stream.getOutputStream();
        }

        @Override
        public void shutdownInput() throws IOException {
            stream.shutdownInput();
        }

        @Override
        public void shutdownOutput() throws IOException {
            stream.shutdownOutput();
        }

        @Override
        public void setSoTimeout(int timeout) throws SocketException {
            stream.setOption(SocketOptions.SO_TIMEOUT, timeout);
        }

        @Override
        public synchronized void close() {
            closed = true;
            stream.close();
        }
    }

    @Override
    protected void create(boolean stream) {
        // it is open already
    }

    @Override
    protected void connect(String host, int remote) throws IOException {
        connect(new InetSocketAddress(host, remote), 0);
    }

    @Override
    protected void connect(InetAddress host, int remote) throws IOException {
        connect(new InetSocketAddress(host, remote), 0);
    }

    @Override
    protected void connect(SocketAddress remote, int timeout) throws IOException {
        var to = OpenedSocket.checked(remote);
        socket.connect(to, timeout);
        socket.stayInTouch();
        address = to.getAddress();
        port = to.getPort();
        localport = socket.local().getPort();
    }

    @Override
    protected void bind(InetAddress host, int wanted) throws IOException {
        socket.option(SOCKETS, 2, 1); // SO_REUSEADDR
        socket.bind(host, wanted);
        localport = socket.local().getPort();
        address = host;
    }

    @Override
    protected void listen(int backlog) throws IOException {
        socket.listen(backlog);
    }

    @Override
    protected void accept(SocketImpl other) throws IOException {
        throw new IOException("see Listening");
    }

    @Override
    protected InputStream getInputStream() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return socket.read(into, offset, length, patienceMillis);
            }

            @Override
            public int available() throws IOException {
                return socket.available();
            }

            @Override
            public void close() {
                OpenedStream.this.close();
            }
        };
    }

    @Override
    protected OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                socket.write(bytes, offset, length);
            }

            @Override
            public void close() {
                OpenedStream.this.close();
            }
        };
    }

    @Override
    protected int available() throws IOException {
        return socket.available();
    }

    @Override
    protected void close() {
        socket.close();
    }

    @Override
    protected void shutdownInput() throws IOException {
        socket.shutdown(0);
    }

    @Override
    protected void shutdownOutput() throws IOException {
        socket.shutdown(1);
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw new IOException("urgent data is not sent");
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        if (option == SocketOptions.SO_TIMEOUT) {
            patienceMillis = (Integer) value;
            return;
        }
        try {
            switch (option) {
                case SocketOptions.TCP_NODELAY -> socket.option(TCP, 1, flag(value));
                case SocketOptions.SO_KEEPALIVE -> socket.option(SOCKETS, 9, flag(value));
                case SocketOptions.SO_REUSEADDR -> socket.option(SOCKETS, 2, flag(value));
                case SocketOptions.SO_RCVBUF -> socket.option(SOCKETS, 8, (Integer) value);
                case SocketOptions.SO_SNDBUF -> socket.option(SOCKETS, 7, (Integer) value);
                case SocketOptions.SO_LINGER ->
                    socket.option(SOCKETS, 13, value instanceof Integer ? 1 : 0, value instanceof Integer n ? n : 0);
                default -> throw new SocketException("the option " + option + " is not known here");
            }
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw (SocketException) new SocketException(e.getMessage()).initCause(e);
        }
    }

    private static int flag(Object value) {
        return Boolean.TRUE.equals(value) ? 1 : 0;
    }

    @Override
    public Object getOption(int option) throws SocketException {
        try {
            return switch (option) {
                case SocketOptions.SO_TIMEOUT -> patienceMillis;
                case SocketOptions.SO_BINDADDR -> socket.local().getAddress();
                case SocketOptions.TCP_NODELAY -> socket.option(TCP, 1) != 0;
                case SocketOptions.SO_KEEPALIVE -> socket.option(SOCKETS, 9) != 0;
                case SocketOptions.SO_REUSEADDR -> socket.option(SOCKETS, 2) != 0;
                case SocketOptions.SO_RCVBUF -> socket.option(SOCKETS, 8);
                case SocketOptions.SO_SNDBUF -> socket.option(SOCKETS, 7);
                default -> throw new SocketException("the option " + option + " is not known here");
            };
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw (SocketException) new SocketException(e.getMessage()).initCause(e);
        }
    }
}
