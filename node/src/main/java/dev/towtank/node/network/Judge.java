package dev.towtank.node.network;

import dev.towtank.node.network.ServiceTable.Backend;
import dev.towtank.node.network.ServiceTable.Listener;
import java.net.InetAddress;

/// Whether somebody may reach a pod through a service: for the kernel it is this process that asks.
@FunctionalInterface
public interface Judge {

    Judge EVERYBODY = (_, _, _) -> true;

    boolean may(InetAddress client, Listener listener, Backend backend);
}
