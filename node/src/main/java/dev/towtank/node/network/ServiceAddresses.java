package dev.towtank.node.network;

import dev.towtank.model.Resource;
import java.util.Optional;
import java.util.Set;

/// Gives services an address: a function of their name, so that it is the same again after all is lost.
public final class ServiceAddresses {

    // 127.64.0.0/10, away from what people use by hand.
    private static final int FIRST = (127 << 24) | (64 << 16);
    private static final int COUNT = 1 << 22;
    private static final int ATTEMPTS = 1024;

    private ServiceAddresses() {}

    public static boolean wanted(Resource service) {
        return service.spec().string("clusterIP").isEmpty()
                && !service.spec().string("type").equals("ExternalName")
                && !service.isDeleting();
    }

    /// Empty when there are too many services of the same luck.
    public static Optional<String> choose(Resource service, Set<String> taken) {
        int hash = (service.cluster().id() + "/" + service.namespace() + "/" + service.name()).hashCode();
        for (int i = 0; i < ATTEMPTS; i++) {
            var address = address(Math.floorMod(hash * 31 + i, COUNT));
            if (!taken.contains(address)) {
                return Optional.of(address);
            }
        }
        return Optional.empty();
    }

    // The last byte is never 0 or 255: some programs think those are special.
    private static String address(int index) {
        int ip = FIRST + index;
        int last = 1 + (ip & 0xff) % 254;
        return "127." + ((ip >> 16) & 0xff) + "." + ((ip >> 8) & 0xff) + "." + last;
    }
}
