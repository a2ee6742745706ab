package dev.towtank.system;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/// Ports for programs that must be told one before they listen.
///
/// One that the kernel chose may be given to somebody else meanwhile: to whoever connects to anywhere. These are below
/// those that it gives away, and below those of Services; and no two tests get the same.
final class FreePort {

    private static final int FIRST = 20_000;
    private static final int LAST = 29_999;

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePort() {}

    static int choose() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
            if (isFree(port) && GIVEN.add(port)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
