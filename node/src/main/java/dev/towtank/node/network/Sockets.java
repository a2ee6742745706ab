package dev.towtank.node.network;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// Opens sockets in one network.
public interface Sockets {

    ServerSocket listen(InetAddress address, int port, int backlog) throws IOException;

    /// One that is not connected yet.
    Socket socket() throws IOException;

    /// @param port 0 for any
    DatagramSocket datagrams(InetAddress address, int port) throws IOException;

    /// In that of the machine.
    Sockets MACHINE = new Sockets() {
        @Override
        public ServerSocket listen(InetAddress address, int port, int backlog) throws IOException {
            return new ServerSocket(port, backlog, address);
        }

        @Override
        public Socket socket() {
            return new Socket();
        }

        @Override
        public DatagramSocket datagrams(InetAddress address, int port) throws IOException {
            return new DatagramSocket(port, address);
        }
    };
}
