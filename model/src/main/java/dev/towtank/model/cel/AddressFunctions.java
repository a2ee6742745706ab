package dev.towtank.model.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;

/// IP addresses and networks.
final class AddressFunctions {

    private static final OpaqueType IP = OpaqueType.create("net.IP");
    private static final OpaqueType CIDR = OpaqueType.create("net.CIDR");

    private AddressFunctions() {}

    static void addTo(FunctionLibrary library) {
        addAddresses(library);
        addNetworks(library);
    }

    private static void addAddresses(FunctionLibrary library) {
        library.function("ip")
                .global("string_to_ip", IP, SimpleType.STRING, String.class, Address::required)
                .member("cidr_ip", IP, CIDR, Network.class, Network::address);
        library.function("isIP")
                .global(
                        "is_ip",
                        SimpleType.BOOL,
                        SimpleType.STRING,
                        String.class,
                        text -> Address.parse(text).isPresent());
        library.function("ip.isCanonical")
                .global(
                        "ip_is_canonical",
                        SimpleType.BOOL,
                        SimpleType.STRING,
                        String.class,
                        text -> Address.required(text).toString().equals(text));
        library.function("family").member("ip_family", SimpleType.INT, IP, Address.class, ip -> (long) ip.family());
        library.function("isUnspecified")
                .member(
                        "ip_is_unspecified",
                        SimpleType.BOOL,
                        IP,
                        Address.class,
                        ip -> ip.inet().isAnyLocalAddress());
        library.function("isLoopback")
                .member(
                        "ip_is_loopback",
                        SimpleType.BOOL,
                        IP,
                        Address.class,
                        ip -> ip.inet().isLoopbackAddress());
        library.function("isLinkLocalMulticast")
                .member(
                        "ip_is_link_local_multicast",
                        SimpleType.BOOL,
                        IP,
                        Address.class,
                        Address::isLinkLocalMulticast);
        library.function("isLinkLocalUnicast")
                .member(
                        "ip_is_link_local_unicast",
                        SimpleType.BOOL,
                        IP,
                        Address.class,
                        ip -> ip.inet().isLinkLocalAddress());
        library.function("isGlobalUnicast")
                .member("ip_is_global_unicast", SimpleType.BOOL, IP, Address.class, Address::isGlobalUnicast);
        library.function("string")
                .global("ip_to_string", SimpleType.STRING, IP, Address.class, Address::toString)
                .global("cidr_to_string", SimpleType.STRING, CIDR, Network.class, Network::toString);
    }

    private static void addNetworks(FunctionLibrary library) {
        library.function("cidr").global("string_to_cidr", CIDR, SimpleType.STRING, String.class, Network::required);
        library.function("isCIDR")
                .global(
                        "is_cidr",
                        SimpleType.BOOL,
                        SimpleType.STRING,
                        String.class,
                        text -> Network.parse(text).isPresent());
        library.function("containsIP")
                .member(
                        "cidr_contains_ip_string",
                        SimpleType.BOOL,
                        CIDR,
                        Network.class,
                        SimpleType.STRING,
                        String.class,
                        (network, text) -> network.contains(Address.required(text)))
                .member(
                        "cidr_contains_ip_ip",
                        SimpleType.BOOL,
                        CIDR,
                        Network.class,
                        IP,
                        Address.class,
                        Network::contains);
        library.function("containsCIDR")
                .member(
                        "cidr_contains_cidr_string",
                        SimpleType.BOOL,
                        CIDR,
                        Network.class,
                        SimpleType.STRING,
                        String.class,
                        (network, text) -> network.contains(Network.required(text)))
                .member(
                        "cidr_contains_cidr",
                        SimpleType.BOOL,
                        CIDR,
                        Network.class,
                        CIDR,
                        Network.class,
                        (network, other) -> network.contains(other));
        library.function("prefixLength")
                .member("cidr_prefix_length", SimpleType.INT, CIDR, Network.class, network -> (long) network.prefix());
        library.function("masked").member("cidr_masked", CIDR, CIDR, Network.class, Network::masked);
    }
}
