package dev.towtank.node.network;

import dev.towtank.model.Resource;
import dev.towtank.node.linux.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Optional;

/// Networks of their own for pods that need one: an address, a loopback, and ports that nobody else has.
public interface PodNetwork extends AutoCloseable {

    /// @param address where its ports are reached, from this machine and from other pods
    /// @param resolver where programs in there ask for names
    record Attachment(String address, NetworkNamespace namespace, String resolver) {}

    /// Gives a pod its network, or finds that which it has. Nothing happens for a pod that is to use the machine's.
    ///
    /// @param record a file in which to note what a later server needs to find it again
    void attach(Resource pod, Path record) throws IOException;

    /// Empty for a pod that uses the machine's.
    Optional<Attachment> of(String podUid);

    /// Takes it away; the pod has no process any more.
    void detach(String podUid);

    /// To a port as the pod itself reaches it, on its loopback.
    Socket connect(String podUid, int port, int millis) throws IOException;

    /// Why all pods use the machine's, as a sentence; empty where they do not.
    Optional<String> missing();

    /// Takes away what is there for all of them: no pod runs any more.
    void dismantle();

    @Override
    void close();

    /// All pods share the network of this machine.
    ///
    /// @param why a sentence
    static PodNetwork ofMachine(String why) {
        return new PodNetwork() {
            @Override
            public void attach(Resource pod, Path record) {}

            @Override
            public Optional<Attachment> of(String podUid) {
                return Optional.empty();
            }

            @Override
            public void detach(String podUid) {}

            @Override
            public Socket connect(String podUid, int port, int millis) throws IOException {
                return onMachine(port, millis);
            }

            @Override
            public Optional<String> missing() {
                return Optional.of(why);
            }

            @Override
            public void dismantle() {}

            @Override
            public void close() {}
        };
    }

    static Socket onMachine(int port, int millis) throws IOException {
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
