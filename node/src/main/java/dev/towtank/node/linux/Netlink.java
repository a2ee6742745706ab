package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
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
    private static final int NEW_ADDRESS = 20;
    private static final int DELETE_ADDRESS = 21;
    private static final int NEW_ROUTE = 24;

    private static final int REQUEST_WITH_ANSWER = 1 | 4;
    private static final int CREATE_ONLY = 0x200 | 0x400;

    // Attributes of links, and what is in them.
    private static final int NAME = 3;
    private static final int MASTER = 10;
    private static final int INFO = 18;
    private static final int ALIAS = 20;
    private static final int NAMESPACE = 28;
    private static final int KIND = 1;
    private static final int DATA = 2;
    private static final int PEER = 1;

    private static final int IPV4 = 2;
    private static final int UP = 1;
    private static final int HEAD = 16;
    private static final int LONGEST = 4096;

    private final int socket;
    private int sequence;

    private Netlink(int socket) {
        this.socket = socket;
    }

    public static Netlink open() throws LinuxException {
        return new Netlink((int) Call.SOCKET.call("open a netlink socket", AF_NETLINK, SOCK_RAW | CLOEXEC, 0));
    }

    /// Where it leads by: a gateway, or nobody at all.
    public sealed interface Way {
        record Gateway(Inet4Address address) implements Way {}

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
    public void addPair(String name, int bridge, String peer, int namespace) throws IOException {
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

    public void addAddress(int link, Inet4Address address, int prefix) throws IOException {
        address(NEW_ADDRESS, CREATE_ONLY, link, address, prefix);
    }

    public void deleteAddress(int link, Inet4Address address, int prefix) throws IOException {
        address(DELETE_ADDRESS, 0, link, address, prefix);
    }

    private void address(int type, int flags, int link, Inet4Address address, int prefix) throws IOException {
        send("change the address " + address.getHostAddress(), type, flags, out -> {
            out.put((byte) IPV4).put((byte) prefix).putShort((short) 0).putInt(link);
            attribute(out, 2, address.getAddress());
            attribute(out, 1, address.getAddress());
        });
    }

    /// @param prefix 0 for all that has no other route
    public void addRoute(Inet4Address destination, int prefix, Way way) throws IOException {
        byte main = (byte) 254;
        byte byAdministrator = 4;
        byte unicast = 1;
        byte unreachable = 7;
        send("add a route", NEW_ROUTE, CREATE_ONLY, out -> {
            out.put((byte) IPV4).put((byte) prefix).putShort((short) 0);
            out.put(main).put(byAdministrator).put((byte) 0);
            out.put(way instanceof Way.Nowhere ? unreachable : unicast).putInt(0);
            if (prefix > 0) {
                attribute(out, 1, destination.getAddress());
            }
            if (way instanceof Way.Gateway(var gateway)) {
                attribute(out, 5, gateway.getAddress());
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

    private static void link(ByteBuffer out, int index, boolean up) {
        out.putInt(0).putInt(index).putInt(up ? UP : 0).putInt(up ? UP : 0);
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

    private synchronized void send(String what, int type, int flags, Consumer<ByteBuffer> content) throws IOException {
        var out = ByteBuffer.allocate(LONGEST).order(ByteOrder.nativeOrder());
        out.putInt(0).putShort((short) type).putShort((short) (REQUEST_WITH_ANSWER | flags));
        out.putInt(++sequence).putInt(0);
        content.accept(out);
        out.putInt(0, out.position());
        var message = new byte[out.position()];
        out.flip().get(message);
        Descriptors.write(socket, message);
        try (var arena = Arena.ofConfined()) {
            var answer = arena.allocate(LONGEST, 8);
            int error = 0;
            do { // an answer to an earlier question would be one that nobody read
                if (Descriptors.read(socket, answer) >= HEAD + 4) {
                    error = answer.get(ValueLayout.JAVA_INT, HEAD);
                }
            } while (answer.get(ValueLayout.JAVA_INT, 8) != sequence);
            if (error < 0) {
                throw new LinuxException(what, -error);
            }
        }
    }

    @Override
    public void close() {
        Descriptors.close(socket);
    }
}
