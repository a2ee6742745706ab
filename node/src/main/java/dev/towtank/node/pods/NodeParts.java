package dev.towtank.node.pods;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.InHand;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.model.Resource;
import dev.towtank.node.events.NodeEvents;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.logs.ContainerLog;
import dev.towtank.node.network.PodNetwork;
import dev.towtank.node.network.ServiceTable;
import dev.towtank.node.probes.Prober;
import dev.towtank.node.sandbox.Sandbox;
import dev.towtank.node.volumes.NodeValues;
import dev.towtank.node.volumes.VolumeSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;

/// What the workers of all pods share.
///
/// @param prober for pods in the network of the machine
/// @param services of a pod's namespace and of `default`, for environment variables
/// @param names the addresses of services, for hosts files
/// @param serverVariables where processes in pods find the API server; stronger than what the services say
/// @param storedLogs the log of a run that has ended, by its directory
/// @param machineRestarted since a server was last here: what it held in memory is gone
/// @param builders whether containers may make mounts of their own where they ask for it
/// @param inHand is told which pod a container is started for, and knows for which none must be
/// @param starts how many containers may be started at once
/// @param writes how many statuses may be written at once
public record NodeParts(
        Cluster cluster,
        Timers timers,
        Sandbox sandbox,
        ImageMap images,
        NodeEvents events,
        VolumeSettings volumes,
        NodeValues node,
        Prober prober,
        PodNetwork network,
        MachinePorts ports,
        List<ContainerProgram> programs,
        Function<Resource, List<Resource>> services,
        Supplier<List<ServiceTable.Name>> names,
        Map<String, String> serverVariables,
        Function<Path, ContainerLog> storedLogs,
        boolean machineRestarted,
        boolean builders,
        InHand inHand,
        Semaphore starts,
        Semaphore writes) {

    public NodeParts {
        programs = List.copyOf(programs);
        serverVariables = Map.copyOf(serverVariables);
    }

    /// The address at which the ports of a pod are reached.
    String podAddress(String podUid) {
        return network.of(podUid).map(PodNetwork.Attachment::address).orElse(node.podIp());
    }

    /// Where the files of a pod are that it needs while it runs.
    Path runtime(String podUid) {
        return volumes.runtime(podUid);
    }
}
