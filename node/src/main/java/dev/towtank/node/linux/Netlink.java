package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Links, addresses and routes of one network: that of the thread which opened it.
public final class Netlink implements AutoCloseable {

    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW = 3;
    private static final int CLOEXEC = 0x80000;

    private static final int NEW_LINK = 16;
    private static final int DELETE_LINK = 17;
    private static final int GET_LINK = 18;
    private static final int NEW_ADDRESS = 20;
    private static final int DELETE_ADDRESS = 21;
    private static final int NEW_ROUTE = 24;

    private static final int REQUEST = 1;
    private static final int REQUEST_WITH_ANSWER = 1 | 4;
    private static final int ERROR = 2; // NLMSG_ERROR, which also says that all went well
    private static final int CREATE_ONLY = 0x200 | 0x400;

    // Attributes of links, and what is in them.
    private static final int HARDWARE = 1;
    private static final int NAME = 3;
    private static final int MASTER = 10;
    private static final int INFO = 18;
    private static final int ALIAS = 20;
    private static final int NAMESPACE = 28;
    private static final int KIND = 1;
    private static final int DATA = 2;
    private static final int PEER = 1;

    private static final int IPV4 = 2;
    private static final int IPV6 = 10;
    private static final int AT_ONCE = 2; // IFA_F_NODAD: nobody is asked whether the address is theirs
    private static final int UP = 1;
    private static final int HEAD = 16;
    private static final int LONGEST = 4096;
    private static final int LONGEST_ANSWER = 16 * 1024;

    private final int socket;
    private int sequence;

    /// @param socket for it, which may be another network's
    Netlink(int socket) {
        this.socket = socket;
    }

    public static Netlink open() throws LinuxException {
        return new Netlink((int) Call.SOCKET.call("open a netlink socket", AF_NETLINK, SOCK_RAW | CLOEXEC, 0));
    }

    /// Somebody else opens the socket.
    static Envoy opening(Envoy envoy) {
        return envoy.then("open a netlink socket", Call.SOCKET, AF_NETLINK, SOCK_RAW | CLOEXEC, 0);
    }

    /// Where it leads by: a gateway, a link with nobody between, or nobody at all.
    public sealed interface Way {
        record Gateway(InetAddress address) implements Way {}

        record Link(int index) implements Way {}

        record Nowhere() implements Way {}
    }

    /// @throws LinuxException EEXIST when one of that name is there
    public void addBridge(String name, String alias) throws IOException {
        send("make the bridge " + name, NEW_LINK, CREATE_ONLY, out -> {
            link(out, 0, true);
            attribute(out, NAME, text(name));
            nested(out, INFO, info -> attribute(info, KIND, text("bridge")));
        });
        send(
                "give " + name + " a second name",
                NEW_LINK,
                0,
                out -> { // the kernel takes it of no new one
                    link(out, 0, true);
                    attribute(out, NAME, text(name));
                    attribute(out, ALIAS, alias.getBytes(StandardCharsets.UTF_8));
                });
    }

    /// Two ends of a cable: one here at a bridge, one in another network.
    ///
    /// @param address of the other end, from which its hardware address is made: neighbours remember that one for a
    ///     while, and must find whoever gets the same address next
    public void addPair(String name, int bridge, String peer, int namespace, Inet4Address address) throws IOException {
        send("make the link " + name, NEW_LINK, CREATE_ONLY, out -> {
            link(out, 0, true);
            attribute(out, NAME, text(name));
            attribute(out, MASTER, number(bridge));
            nested(out, INFO, info -> {
                attribute(info, KIND, text("veth"));
                nested(
                        info,
                        DATA,
                        data -> nested(data, PEER, other -> {
                            link(other, 0, false);
                            attribute(other, NAME, text(peer));
                            attribute(other, HARDWARE, hardware(address));
                            attribute(other, NAMESPACE, number(namespace));
                        }));
            });
        });
    }

    public void setUp(int link) throws IOException {
        send("bring a link up", NEW_LINK, 0, out -> link(out, link, true));
    }

    /// Nothing to do is fine.
    public void deleteLink(String name) throws IOException {
        try {
            send("delete the link " + name, DELETE_LINK, 0, out -> {
                link(out, 0, false);
                attribute(out, NAME, text(name));
            });
        } catch (LinuxException e) {
            if (!e.is(LinuxException.ENODEV)) {
                throw e;
            }
        }
    }

    public void addAddress(int link, InetAddress address, int prefix) throws IOException {
        address(NEW_ADDRESS, CREATE_ONLY, link, address, prefix);
    }

    public void deleteAddress(int link, Inet4Address address, int prefix) throws IOException {
        address(DELETE_ADDRESS, 0, link, address, prefix);
    }

    private void address(int type, int flags, int link, InetAddress address, int prefix) throws IOException {
        send("change the address " + address.getHostAddress(), type, flags, out -> {
            out.put(family(address)).put((byte) prefix);
            out.put((byte) (address instanceof Inet6Address ? AT_ONCE : 0)).put((byte) 0);
            out.putInt(link);
            attribute(out, 2, address.getAddress());
            attribute(out, 1, address.getAddress());
        });
    }

    private static byte family(InetAddress address) {
        return (byte) (address instanceof Inet6Address ? IPV6 : IPV4);
    }

    /// @param prefix 0 for all that has no other route
    public void addRoute(InetAddress destination, int prefix, Way way) throws IOException {
        byte main = (byte) 254;
        byte byAdministrator = 4;
        byte unicast = 1;
        byte unreachable = 7;
        send("add a route", NEW_ROUTE, CREATE_ONLY, out -> {
            out.put(family(destination)).put((byte) prefix).putShort((short) 0);
            out.put(main).put(byAdministrator).put((byte) 0);
            out.put(way instanceof Way.Nowhere ? unreachable : unicast).putInt(0);
            if (prefix > 0) {
                attribute(out, 1, destination.getAddress());
            }
            switch (way) {
                case Way.Gateway(var gateway) -> attribute(out, 5, gateway.getAddress());
                case Way.Link(int index) -> attribute(out, 4, number(index));
                case Way.Nowhere() -> {}
            }
        });
    }

    /// Its number in this network; 0 when there is none of that name.
    public int index(String name) {
        int asks = 0x8933; // SIOCGIFINDEX
        int longestName = 16;
        try (var arena = Arena.ofConfined()) {
            var request = arena.allocate(40, 8);
            var bytes = name.getBytes(StandardCharsets.US_ASCII);
            MemorySegment.copy(bytes, 0, request, ValueLayout.JAVA_BYTE, 0, Math.min(bytes.length, longestName - 1));
            return Call.IOCTL.on(socket, asks, request.address()) < 0
                    ? 0
                    : request.get(ValueLayout.JAVA_INT, longestName);
        }
    }

    /// The second name of a link; empty where it has none.
    public String alias(String name) throws IOException {
        var answer = ask("ask for the link " + name, GET_LINK, out -> {
            link(out, 0, false);
            attribute(out, NAME, text(name));
        });
        int linkHead = 16;
        for (var rest = answer.position(HEAD + linkHead).slice().order(ByteOrder.nativeOrder());
                rest.remaining() >= 4; ) {
            int length = Short.toUnsignedInt(rest.getShort(0));
            if (rest.getShort(2) == ALIAS && length <= rest.remaining()) {
                var value = new byte[length - 4];
                rest.get(4, value);
                return new String(value, StandardCharsets.UTF_8).replace("\0", "");
            }
            int next = (length + 3) & ~3;
            if (next < 4 || next > rest.remaining()) {
                break;
            }
            rest = rest.position(next).slice().order(ByteOrder.nativeOrder());
        }
        return "";
    }

    private static void link(ByteBuffer out, int index, boolean up) {
        out.putInt(0).putInt(index).putInt(up ? UP : 0).putInt(up ? UP : 0);
    }

    /// One of those that nobody makes.
    public static byte[] hardware(Inet4Address address) {
        return ByteBuffer.allocate(6)
                .put((byte) 0x0a)
                .put((byte) 0x58)
                .put(address.getAddress())
                .array();
    }

    private static byte[] text(String text) {
        return (text + "\0").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] number(int number) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.nativeOrder())
                .putInt(number)
                .array();
    }

    private static void attribute(ByteBuffer out, int type, byte[] value) {
        nested(out, type, inner -> inner.put(value));
    }

    private static void nested(ByteBuffer out, int type, Consumer<ByteBuffer> content) {
        int start = out.position();
        out.putShort((short) 0).putShort((short) type);
        content.accept(out);
        out.putShort(start, (short) (out.position() - start));
        while (out.position() % 4 != 0) {
            out.put((byte) 0);
        }
    }

    private void send(String what, int type, int flags, Consumer<ByteBuffer> content) throws IOException {
        var _ = exchange(what, type, REQUEST_WITH_ANSWER | flags, content);
    }

    private ByteBuffer ask(String what, int type, Consumer<ByteBuffer> content) throws IOException {
        return exchange(what, type, REQUEST, content);
    }

    /// The first message of the answer.
    private synchronized ByteBuffer exchange(String what, int type, int flags, Consumer<ByteBuffer> content)
            throws IOException {
        var out = ByteBuffer.allocate(LONGEST).order(ByteOrder.nativeOrder());
        out.putInt(0).putShort((short) type).putShort((short) flags);
        out.putInt(++sequence).putInt(0);
        content.accept(out);
        out.putInt(0, out.position());
        var message = new byte[out.position()];
        out.flip().get(message);
        Descriptors.write(socket, message);
        try (var arena = Arena.ofConfined()) {
            var answer = arena.allocate(LONGEST_ANSWER, 8);
            int count;
            do { // an answer to an earlier question would be one that nobody read
                count = Descriptors.read(socket, answer);
            } while (count < HEAD + 4 || answer.get(ValueLayout.JAVA_INT, 8) != sequence);
            int error = answer.get(ValueLayout.JAVA_SHORT, 4) == ERROR ? answer.get(ValueLayout.JAVA_INT, HEAD) : 0;
            if (error < 0) {
                throw new LinuxException(what, -error);
            }
            return ByteBuffer.wrap(answer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE))
                    .order(ByteOrder.nativeOrder());
        }
    }

    @Override
    public void close() {
        Descriptors.close(socket);
    }
}
