package dev.towtank.node.network;

import dev.towtank.node.network.ServiceTable.Backend;
import dev.towtank.node.network.ServiceTable.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/// One address of a service that is listened on.
interface Door {

    /// From now on these answer.
    void lead(List<Backend> backends);

    void close();

    static Door open(Listener listener, List<Backend> backends) throws IOException {
        var address = InetAddress.getByName(listener.address());
        return switch (listener.protocol()) {
            case TCP -> new TcpDoor(listener, address, backends);
            case UDP -> new UdpDoor(listener, address, backends);
        };
    }
}
