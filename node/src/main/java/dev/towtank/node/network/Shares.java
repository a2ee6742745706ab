package dev.towtank.node.network;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/// Lets no single pod take all of what is there for everybody. Who shares the machine's network has no share of its
/// own, as
/// one address stands for all of them.
///
/// @param taken guarded by itself
/// @param most for each client
record Shares(int most, Map<InetAddress, Integer> taken) {

    Shares(int most) {
        this(most, new HashMap<>());
    }

    boolean take(InetAddress client) {
        if (client.isLoopbackAddress()) {
            return true;
        }
        synchronized (taken) {
            int now = taken.getOrDefault(client, 0);
            if (now < most) {
                taken.put(client, now + 1);
            }
            return now < most;
        }
    }

    void giveBack(InetAddress client) {
        synchronized (taken) {
            taken.computeIfPresent(client, (_, now) -> now > 1 ? now - 1 : null);
        }
    }
}
