package dev.towtank.node.pods;

import dev.towtank.model.Resource;
import dev.towtank.node.network.HostsFile;
import dev.towtank.node.network.ServiceTable;
import dev.towtank.node.volumes.PodVolumes;
import dev.towtank.node.volumes.VolumeProblem;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// What must be there before a pod's containers: its volumes and its hosts file; and keeps them up to date.
final class PodPreparation {

    private static final System.Logger LOG = System.getLogger(PodPreparation.class.getName());
    private static final Duration FIRST_RETRY = Duration.ofMillis(500);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(122);
    private static final Duration SIZE_CHECK = Duration.ofSeconds(10);

    /// Of those that containers can write to though they are in no volume, and that are in memory.
    private static final long LARGEST_FILE = 2 << 20;

    private final NodeParts parts;
    private final PodMemory memory;
    private final PodVolumes volumes;
    private volatile boolean sourcesChanged;
    private volatile boolean servicesChanged;

    // The worker's thread alone uses these.
    private Optional<Instant> retryAt = Optional.empty();
    private Duration nextRetry = FIRST_RETRY;
    private Instant sizesChecked = Instant.EPOCH;
    private String seenMetadata = "";

    PodPreparation(NodeParts parts, PodMemory memory, PodVolumes volumes) {
        this.parts = parts;
        this.memory = memory;
        this.volumes = volumes;
    }

    PodVolumes volumes() {
        return volumes;
    }

    Path hosts() {
        return PodFiles.hosts(parts, memory.pod().uid());
    }

    void sourcesChanged() {
        sourcesChanged = true;
    }

    void servicesChanged() {
        servicesChanged = true;
    }

    Optional<Instant> nextLook() {
        return Stream.of(memory.isPrepared() ? Optional.<Instant>empty() : retryAt, volumes.refreshAt())
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    /// @return whether all is ready
    boolean prepare(Instant now) {
        if (memory.isPrepared()) {
            return true;
        }
        if (retryAt.filter(now::isBefore).isPresent()) {
            return false;
        }
        try {
            var pod = memory.pod();
            Files.createDirectories(parts.runtime(pod.uid()));
            if (!attached(pod, now)) {
                return false;
            }
            volumes.prepare(pod, now);
            writeHosts();
            sizesChecked = now; // nobody has written anything yet
            memory.prepared();
            tellUnsupported(pod);
            return true;
        } catch (VolumeProblem e) {
            failed(e.text(), now);
        } catch (IOException e) {
            failed("error making pod data directories: " + e, now);
        }
        return false;
    }

    private boolean attached(Resource pod, Instant now) {
        try {
            parts.network().attach(pod, PodFiles.network(parts, pod.uid()));
            return true;
        } catch (IOException e) {
            failed("FailedCreatePodSandBox", "the pod has no network: " + e.getMessage(), now);
            return false;
        }
    }

    private void tellUnsupported(Resource pod) {
        var unsupported = UnsupportedSettings.of(pod);
        if (!unsupported.isEmpty()) {
            boolean builds = parts.builders()
                    && Containers.all(pod).stream()
                            .anyMatch(container -> UnsupportedSettings.isBuilder(pod, container));
            parts.events().warning(pod, "Unsupported", UnsupportedSettings.message(unsupported, builds));
        }
    }

    private void failed(String message, Instant now) {
        failed("FailedMount", message, now);
    }

    private void failed(String reason, String message, Instant now) {
        parts.events().warning(memory.pod(), reason, message);
        retryAt = Optional.of(now.plus(nextRetry));
        var doubled = nextRetry.multipliedBy(2);
        nextRetry = doubled.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : doubled;
    }

    /// Brings up to date what follows other objects.
    void refresh(Instant now) {
        boolean sources = sourcesChanged;
        sourcesChanged = false;
        if (sources) {
            retryAt = Optional.empty();
        }
        if (!memory.isPrepared()) {
            return;
        }
        // Files can show labels and annotations of the pod itself.
        var metadata = memory.pod().metadata();
        var shown = metadata.object("labels") + " " + metadata.object("annotations");
        boolean due =
                volumes.refreshAt().filter(moment -> !now.isBefore(moment)).isPresent();
        if (sources || due || (!seenMetadata.isEmpty() && !shown.equals(seenMetadata))) {
            refreshVolumes(now);
        }
        seenMetadata = shown;
        if (servicesChanged) {
            servicesChanged = false;
            rewriteHosts();
        }
    }

    private void refreshVolumes(Instant now) {
        try {
            volumes.refresh(memory.pod(), now);
        } catch (VolumeProblem e) {
            parts.events().warning(memory.pod(), "FailedMount", e.text());
        }
    }

    private void rewriteHosts() {
        try {
            writeHosts();
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "cannot write the hosts file of {0}: {1}",
                    memory.pod().describe(),
                    e);
        }
    }

    // In place: containers have this very file mounted.
    private void writeHosts() throws IOException {
        var pod = memory.pod();
        Files.writeString(
                hosts(), HostsFile.content(pod, ContainerPlan.hostname(pod), parts.podAddress(pod.uid()), names(pod)));
    }

    private List<ServiceTable.Name> names(Resource pod) {
        var names = parts.names().get();
        return parts.network().of(pod.uid()).isEmpty()
                ? names
                : names.stream()
                        .map(name -> name.seenFromElsewhere(parts.node().hostIp()))
                        .toList();
    }

    /// Recovered pods have their volumes; what follows other objects is written anew.
    void restore(Instant now) {
        prepare(now);
    }

    Optional<String> exceeded(Instant now) {
        if (!memory.isPrepared() || now.isBefore(sizesChecked.plus(SIZE_CHECK))) {
            return Optional.empty();
        }
        sizesChecked = now;
        var large = PodFiles.larger(parts, memory.pod().uid(), LARGEST_FILE);
        if (large.isPresent()) {
            return Optional.of("Usage of " + large.get() + " exceeds the limit \"" + LARGEST_FILE / 1024 + "Ki\". ");
        }
        var root = memory.runs().stream().flatMap(run -> overfull(run).stream()).findFirst();
        return root.isEmpty() && PodVolumes.canExceed(memory.pod())
                ? volumes.exceeded(memory.pod(), processes())
                : root;
    }

    private Optional<String> overfull(ContainerRun run) {
        var limit = run.process()
                .map(process -> parts.sandbox().overfull(process.id()))
                .orElse(OptionalLong.empty());
        return limit.isEmpty()
                ? Optional.empty()
                : Optional.of("Container " + run.name() + " exceeded its local ephemeral storage limit \""
                        + limit.getAsLong() / 1024 + "Ki\". ");
    }

    private List<Integer> processes() {
        return memory.runs().stream()
                .flatMap(run -> run.process().stream())
                .flatMapToInt(process -> process.number().stream())
                .boxed()
                .toList();
    }

    void remove() {
        parts.network().detach(memory.pod().uid());
        parts.ports().free(memory.pod().uid());
        try {
            volumes.remove();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "volumes of {0} are left: {1}", memory.pod().describe(), e);
        }
    }
}
