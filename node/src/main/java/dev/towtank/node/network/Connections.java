package dev.towtank.node.network;

import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// With whom connections are open, also those of doors that are closed already, and who gets none any more.
final class Connections implements PodNetwork.Callers {

    private final Set<Leg> legs = ConcurrentHashMap.newKeySet();
    private final Set<String> avoided = ConcurrentHashMap.newKeySet();

    /// One side of a connection that is passed on.
    static final class Leg {
        private final Socket socket;
        private final String address;
        private volatile boolean left;

        private Leg(Socket socket, String address) {
            this.socket = socket;
            this.address = address;
        }

        Socket socket() {
            return socket;
        }

        /// Nobody is there any more, and what they said has been read.
        boolean isOver() {
            return left && isRead();
        }

        private boolean isRead() {
            try {
                return socket.getInputStream().available() == 0;
            } catch (IOException e) {
                return true; // it is closed
            }
        }

        /// What has come is still read: whoever does so sees then that it is over.
        private void leave() {
            left = true;
            if (isRead()) {
                close();
            }
        }

        private void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // it is of no use any more
            }
        }
    }

    Leg add(Socket socket, String address) {
        var leg = new Leg(socket, address);
        legs.add(leg);
        return leg;
    }

    void remove(Leg leg) {
        legs.remove(leg);
    }

    boolean isAvoided(String address) {
        return avoided.contains(address);
    }

    /// Without this an end would depend on luck: endpoints follow a deletion in their own time, and a connection that
    /// the
    /// pod's kernel has taken for a program that takes none any more is lost.
    @Override
    public void avoid(String address) {
        avoided.add(address);
    }

    /// Where the link was cut, the other side may hear of no end, and while it waits for a receipt it does not even
    /// ask:
    /// whoever talks with the address would wait for words that cannot come. Otherwise the kernel says it all.
    @Override
    public void leave(String address, boolean isCut) {
        avoided.remove(address);
        for (var leg : legs) {
            if (isCut && leg.address.equals(address)) {
                leg.leave();
            }
        }
    }
}
