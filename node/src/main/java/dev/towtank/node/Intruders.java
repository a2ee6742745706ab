package dev.towtank.node;

import dev.towtank.node.linux.PortHolders;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.network.ServiceTable;
import java.io.IOException;
import java.net.Inet4Address;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Pods that listen where nobody but the server may. On the machine's network no wall keeps them from it: so they are
/// looked for when a port that the server needs is taken.
public final class Intruders {

    private static final int GENERATIONS = 10_000;
    private static final Path OWN_NUMBERS = Path.of("/proc/self/ns/pid");
    private static final int KILL = 9;
    private static final int PATIENCE_SECONDS = 10;

    private final List<Path> pods;

    /// @param pods directories with one for each pod
    Intruders(List<Path> pods) {
        this.pods = List.copyOf(pods);
    }

    /// Those that servers of this directory have started.
    ///
    /// @param directory of a node
    public static Intruders of(Path directory) throws IOException {
        var places = new ArrayList<>(List.of(directory.resolve("pods")));
        MemoryDirectory.find(NodeSettings.SHARED_MEMORY, directory).ifPresent(memory -> places.add(memory.pods()));
        return new Intruders(places);
    }

    /// @param pod its uid
    /// @param monitor the process around its container, which no pod can change
    private record Intruder(String pod, int monitor) {}

    /// The pods of a running server.
    static Intruders among(NodeSettings settings, Optional<MemoryDirectory> memory) {
        var places = new ArrayList<>(List.of(settings.directory().resolve("pods")));
        memory.ifPresent(found -> places.add(found.pods()));
        return new Intruders(places);
    }

    /// The uids of those at the address of a service. Who listens on all addresses means no harm.
    Set<String> at(ServiceTable.Listener listener) {
        boolean udp = listener.protocol() == ServiceTable.Protocol.UDP;
        var holders = PortHolders.of(udp, Inet4Address.ofLiteral(listener.address()), listener.port(), false);
        return around(holders).stream().map(Intruder::pod).collect(Collectors.toSet());
    }

    private Set<Intruder> around(List<Integer> processes) {
        return processes.stream().flatMap(process -> around(process).stream()).collect(Collectors.toSet());
    }

    /// Ends their containers; a server takes up the pods and tells of it.
    ///
    /// @return how many there were
    public int end(Inet4Address address, int port) throws IOException {
        var found = around(PortHolders.of(false, address, port, true));
        for (var intruder : found) {
            var first = Processes.child(intruder.monitor);
            var monitor = ProcessHandle.of(intruder.monitor);
            if (first.isPresent() && monitor.isPresent()) {
                Processes.signal(first.getAsInt(), KILL); // the others in there end with it
                monitor.get()
                        .onExit()
                        .completeOnTimeout(monitor.get(), PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .join();
            }
        }
        return found.size();
    }

    private Optional<Intruder> around(int process) {
        var number = OptionalInt.of(process);
        for (int i = 0; i < GENERATIONS && number.isPresent() && number.getAsInt() > 1; i++) {
            int each = number.getAsInt();
            var pod = isInside(each) ? Optional.<String>empty() : pod(each);
            if (pod.isPresent()) {
                return Optional.of(new Intruder(pod.get(), each));
            }
            number = Processes.parent(each);
        }
        return Optional.empty();
    }

    /// Of what is inside nothing is believed.
    private static boolean isInside(int process) {
        try {
            return !Files.readSymbolicLink(Path.of("/proc/" + process + "/ns/pid"))
                    .equals(Files.readSymbolicLink(OWN_NUMBERS));
        } catch (IOException e) {
            return true; // it has ended
        }
    }

    /// A monitor writes the container's status into a file of its pod.
    private Optional<String> pod(int process) {
        try (var files = Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
            for (var file : files) {
                var path = Files.readSymbolicLink(file);
                for (var place : pods) {
                    if (path.startsWith(place) && path.getNameCount() > place.getNameCount()) {
                        return Optional.of(path.getName(place.getNameCount()).toString());
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // it has ended
        }
        return Optional.empty();
    }
}
