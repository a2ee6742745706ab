package dev.towtank.node.network;

import dev.towtank.node.network.ServiceTable.Backend;
import dev.towtank.node.network.ServiceTable.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Supplier;

/// One address of a service that is listened on.
interface Door {

    /// From now on these answer.
    void lead(List<Backend> backends);

    void close();

    /// Where sockets are opened.
    ///
    /// @param listening that for clients
    /// @param toBackends those to pods
    /// @param guests who of the clients may reach whom of the backends
    /// @param connections in which those that are open are kept
    record Places(Sockets listening, Supplier<Sockets> toBackends, Guests guests, Connections connections) {

        static Places ofMachine() {
            return new Places(Sockets.MACHINE, () -> Sockets.MACHINE, (_, _) -> true, new Connections());
        }

        /// Who shares the machine's network is found on its loopback.
        Sockets to(Backend backend) {
            return backend.host().startsWith("127.") ? Sockets.MACHINE : toBackends.get();
        }
    }

    @FunctionalInterface
    interface Guests {
        boolean may(InetAddress client, Backend backend);
    }

    static Door open(Listener listener, List<Backend> backends, Places places) throws IOException {
        var address = InetAddress.getByName(listener.address());
        return switch (listener.protocol()) {
            case TCP -> TcpDoor.open(listener, address, backends, places);
            case UDP -> new UdpDoor(listener, address, backends, places);
        };
    }
}
