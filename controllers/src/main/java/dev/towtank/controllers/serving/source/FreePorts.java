package dev.towtank.controllers.serving.source;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.Deque;

/// Ports that nobody listens on. One that was given away is not given again for a while: whoever got it is still about
/// to
/// listen there.
public final class FreePorts {

    private static final int REMEMBERED = 200;

    private final Deque<Integer> given = new ArrayDeque<>();

    public synchronized int find() throws IOException {
        for (int attempt = 0; attempt <= REMEMBERED; attempt++) {
            int port = free();
            if (!given.contains(port)) {
                given.add(port);
                if (given.size() > REMEMBERED) {
                    given.remove();
                }
                return port;
            }
        }
        throw new IOException("there is no free port on this machine");
    }

    private static int free() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
