package dev.towtank.apiserver.admission;

import dev.towtank.model.kinds.IpAddresses;
import java.util.random.RandomGenerator;

/// The addresses and ports that Services may have. Every address of 127.0.0.0/8 is this machine's own.
final class ServiceRange {

    static final String CIDR = "127.96.0.0/12";
    static final String FIRST = "127.96.0.1";
    static final String PORTS = "30000-32767";

    private static final int NETWORK = 96;
    private static final int NETWORKS = 16;
    private static final int OCTET = 256;
    private static final int FIRST_PORT = 30000;
    private static final int LAST_PORT = 32767;

    private ServiceRange() {}

    /// Leaves the first 256 to people who choose one themselves.
    static String ip(RandomGenerator random) {
        int offset = random.nextInt(OCTET, NETWORKS * OCTET * OCTET - 1);
        return "127." + (NETWORK + offset / (OCTET * OCTET)) + "." + (offset / OCTET % OCTET) + "." + offset % OCTET;
    }

    static boolean contains(String ip) {
        if (!IpAddresses.isIpv4(ip) || !ip.startsWith("127.")) {
            return false;
        }
        int second = Integer.parseInt(ip.split("\\.", -1)[1]);
        boolean edge = ip.equals("127.96.0.0") || ip.equals("127.111.255.255");
        return second >= NETWORK && second < NETWORK + NETWORKS && !edge;
    }

    static long port(RandomGenerator random) {
        return random.nextInt(FIRST_PORT, LAST_PORT + 1);
    }

    static boolean containsPort(long port) {
        return port >= FIRST_PORT && port <= LAST_PORT;
    }
}
