package dev.towtank.model.kinds;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// IP addresses as text. Nothing here asks a name server.
public final class IpAddresses {

    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
    private static final Pattern SLOPPY_IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern IPV6_CHARACTERS = Pattern.compile("[0-9a-fA-F:.]{2,45}");

    private IpAddresses() {}

    public static boolean isIpv4(String text) {
        return text.length() <= 15 && IPV4.matcher(text).matches();
    }

    public static boolean isIpv6(String text) {
        if (!text.contains(":") || !IPV6_CHARACTERS.matcher(text).matches()) {
            return false;
        }
        try {
            Inet6Address.ofLiteral(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// What is wrong with an address; empty when nothing is.
    public static List<String> problems(String text) {
        if (isIpv4(text)) {
            return List.of();
        }
        if (isIpv6(text)) {
            return text.contains(".") && text.toLowerCase(Locale.ROOT).startsWith("::ffff:")
                    ? List.of("must not be an IPv4-mapped IPv6 address")
                    : List.of();
        }
        return SLOPPY_IPV4.matcher(text).matches() && isIpv4(text.replaceAll("(^|\\.)0+(?=[0-9])", "$1"))
                ? List.of("must not have leading 0s")
                : List.of("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }

    /// Why traffic cannot be sent to an address from elsewhere; empty when it can.
    public static List<String> externalProblems(String text) {
        var problems = new ArrayList<>(endpointProblems(text));
        if (problems.isEmpty() && InetAddress.ofLiteral(text).isLoopbackAddress()) {
            problems.add("may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        return problems;
    }

    /// Why traffic cannot be sent to an address. Kubernetes refuses loopback addresses here; where all pods live on one
    /// machine, they are what pods have.
    public static List<String> endpointProblems(String text) {
        if (!isIpv4(text) && !isIpv6(text)) {
            return List.of("must be a valid IP address");
        }
        var address = InetAddress.ofLiteral(text);
        var problems = new ArrayList<String>();
        if (address.isAnyLocalAddress()) {
            problems.add("may not be unspecified (" + text + ")");
        }
        if (address.isLinkLocalAddress()) {
            problems.add("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        if (address.isMCLinkLocal()) {
            problems.add("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
        return problems;
    }
}
