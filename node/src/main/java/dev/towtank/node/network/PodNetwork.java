package dev.towtank.node.network;

import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.node.linux.NetworkNamespace;
import dev.towtank.node.network.policy.Policies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Networks of their own for pods that need one: an address, a loopback, and ports that nobody else has.
public interface PodNetwork extends AutoCloseable {

    /// @param address where its ports are reached, from this machine and from other pods
    /// @param resolver where programs in there ask for names
    record Attachment(String address, NetworkNamespace namespace, String resolver) {}

    /// What networks have to know of the cluster.
    ///
    /// @param names which pods know
    /// @param nodePorts of services, which the machine alone has
    /// @param isolation what policies say about a pod
    /// @param callers who connect to pods
    record Surroundings(
            Supplier<List<ServiceTable.Name>> names,
            Supplier<Set<Integer>> nodePorts,
            Function<Resource, Policies.Isolation> isolation,
            Callers callers) {}

    /// Those who connect to pods, by their addresses.
    interface Callers {
        /// The pod there is about to end: who comes now goes to others, as long as there are any.
        void avoid(String address);

        /// The pod there has ended, and the address may get another.
        ///
        /// @param isCut whether the link went with it: what was said last may be lost then
        void leave(String address, boolean isCut);
    }

    /// Gives a pod its network, or finds that which it has. Nothing happens for a pod that is to use the machine's.
    ///
    /// @param record a file in which to note what a later server needs to find it again
    void attach(Resource pod, Path record) throws IOException;

    /// From now on the pod may talk with nobody else; nothing for one that uses the machine's.
    default void protect(String podUid, Policies.Isolation isolation) throws IOException {}

    /// Whose pods have such addresses.
    default Optional<LogicalCluster> clusterOf(String address) {
        return Optional.empty();
    }

    /// Empty for a pod that uses the machine's.
    Optional<Attachment> of(String podUid);

    /// The pod is about to end, and its programs will be told.
    default void retire(String podUid) {}

    /// Takes it away; the pod has no process any more.
    void detach(String podUid);

    /// Clusters whose pods have or had networks, at a server before this one, too.
    default Set<LogicalCluster> remembered() throws IOException {
        return Set.of();
    }

    /// A cluster is gone: what its pods share goes with the last of them.
    default void forget(LogicalCluster cluster) throws IOException {}

    /// To a port as the pod itself reaches it, on its loopback.
    Socket connect(String podUid, int port, int millis) throws IOException;

    /// In the network of the pod itself, not connected yet.
    Socket socket(String podUid) throws IOException;

    /// See [dev.towtank.cluster.pods.PodAccess#authority].
    default String authority(String podAddress, int port) {
        return podAddress + ":" + port;
    }

    /// Whether a pod that listens gets one, and does not use the machine's.
    default boolean isForPods() {
        return true;
    }

    /// Opens sockets that reach pods' addresses and that pods reach. Those of the machine do, unless all pods are
    /// behind a network of their own.
    ///
    /// @param opened is told as soon as there are others
    void onHub(Consumer<Sockets> opened);

    /// Why all pods use the machine's, or what is missing in theirs, as a sentence; empty where all is well.
    Optional<String> missing();

    /// Why they do not reach the world by IPv6 where they do by IPv4, as a sentence.
    default Optional<String> noIpv6() {
        return Optional.empty();
    }

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
            public Socket socket(String podUid) {
                return new Socket();
            }

            @Override
            public boolean isForPods() {
                return false;
            }

            @Override
            public void onHub(Consumer<Sockets> opened) {}

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
