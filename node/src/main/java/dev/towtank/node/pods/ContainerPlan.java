package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.ResourceLists;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.node.images.Image;
import dev.towtank.node.network.NetworkNeeds;
import dev.towtank.node.sandbox.ContainerSpec;
import dev.towtank.node.sandbox.ContainerSpec.Mount;
import dev.towtank.node.volumes.PodGroups;
import dev.towtank.node.volumes.PodVolumes;
import dev.towtank.node.volumes.VolumeProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// All that is decided about a container before it starts.
///
/// @param arguments command and arguments of the process
/// @param mounts of volumes, and of the termination message file
/// @param masked secret values that the container can see
/// @param calls what it may ask of the kernel
/// @param rights over its own files and users, where it has several
/// @param alone it has one, to whom all files belong
record ContainerPlan(
        String name,
        Image image,
        List<String> arguments,
        Map<String, String> environment,
        String workingDirectory,
        List<Mount> mounts,
        List<String> masked,
        ContainerSpec.Calls calls,
        Set<String> rights,
        boolean alone) {

    /// Capabilities of those that other engines give to everybody. Others are over the machine, and nobody gets them.
    private static final List<String> USUAL_RIGHTS = List.of(
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "NET_BIND_SERVICE",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_CHROOT");

    static final String UNMASKED = "towtank.dev/mask-logs";
    private static final int SHORTEST_SECRET = 3;

    ContainerPlan {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        mounts = List.copyOf(mounts);
        masked = List.copyOf(masked);
        rights = Set.copyOf(rights);
    }

    @Override
    public String toString() {
        return "ContainerPlan[" + name + "]"; // environment and masked values are secrets
    }

    /// @throws StartProblem with the reason and message of the container's waiting state
    static ContainerPlan of(
            NodeParts parts, Resource pod, Json.Obj container, Image image, ApiSources sources, PodVolumes volumes)
            throws StartProblem {
        checkUser(pod, container, image);
        if (seccompProfile(pod, container).equals("Localhost")) {
            throw new StartProblem(
                    "CreateContainerConfigError",
                    "this node has no seccomp profiles of its own: use the type RuntimeDefault or Unconfined");
        }
        var expansion = new Expansion();
        var environment = environment(parts, pod, container, sources, image, expansion);
        checkNetwork(environment);
        var command = expanded(container.array("command").strings(), environment, expansion);
        var arguments = expanded(container.array("args").strings(), environment, expansion);
        var line = image.commandLine(command, arguments)
                .orElseThrow(() -> new StartProblem("CreateContainerError", "no command specified"));
        var directory = container.string("workingDir");
        var mounts = mounts(container, volumes, environment);
        return new ContainerPlan(
                container.string("name"),
                image,
                line,
                environment,
                directory.isEmpty() ? image.workingDirectory().isEmpty() ? "/" : image.workingDirectory() : directory,
                mounts,
                masked(pod, container, sources, sources.tokens()),
                calls(parts, pod, container),
                rights(container),
                isAlone(parts, pod, volumes));
    }

    /// A container of an earlier server of which only the name is known.
    static ContainerPlan unknown(String name, String reference) {
        return new ContainerPlan(
                name,
                unmapped(reference),
                List.of(),
                Map.of("PATH", Image.PATH),
                "/",
                List.of(),
                List.of(),
                ContainerSpec.Calls.FILTERED,
                Set.of(),
                true);
    }

    /// For a container that starts no process.
    static Image unmapped(String reference) {
        return new Image(
                reference, new Image.Root.Host(), Image.Shell.OWN, List.of(), List.of(), "", "/", Map.of(), Map.of());
    }

    private static void checkUser(Resource pod, Json.Obj container, Image image) throws StartProblem {
        var own = container.object("securityContext");
        var shared = pod.spec().object("securityContext");
        boolean nonRoot = own.has("runAsNonRoot") ? own.flag("runAsNonRoot") : shared.flag("runAsNonRoot");
        if (!nonRoot) {
            return;
        }
        var who = " (pod: \"" + Containers.fullName(pod) + "\", container: " + container.string("name") + ")";
        var user = user(pod, container).uid();
        if (user.isPresent() && user.get() == 0) {
            throw new StartProblem("CreateContainerConfigError", "container's runAsUser breaks non-root policy" + who);
        }
        var ofImage = image.user().split(":", 2)[0];
        if (user.isEmpty() && Set.of("", "0", "root").contains(ofImage)) {
            throw new StartProblem(
                    "CreateContainerConfigError", "container has runAsNonRoot and image will run as root" + who);
        }
    }

    private static void checkNetwork(Map<String, String> environment) throws StartProblem {
        if (!environment.getOrDefault(NetworkNeeds.VARIABLE, NetworkNeeds.NONE).equals(NetworkNeeds.NONE)) {
            throw new StartProblem(
                    "CreateContainerConfigError",
                    "the variable " + NetworkNeeds.VARIABLE + " of a container can only be " + NetworkNeeds.NONE
                            + ": more than its pod has it cannot have");
        }
    }

    private static Map<String, String> environment(
            NodeParts parts, Resource pod, Json.Obj container, ApiSources sources, Image image, Expansion expansion)
            throws StartProblem {
        var services =
                new LinkedHashMap<>(ServiceVariables.of(pod, parts.services().apply(pod)));
        services.putAll(parts.serverVariables());
        try {
            var own = Environment.of(pod, container, sources, services, parts.node(), expansion);
            var all = new LinkedHashMap<String, String>();
            all.put("PATH", Image.PATH);
            all.put("HOSTNAME", hostname(pod));
            all.put("HOME", user(pod, container).uid().filter(uid -> uid != 0).isPresent() ? "/" : "/root");
            all.putAll(image.environment());
            all.putAll(own);
            return all;
        } catch (ConfigProblem e) {
            throw new StartProblem("CreateContainerConfigError", e.text());
        }
    }

    private static List<String> expanded(List<String> words, Map<String, String> environment, Expansion expansion)
            throws StartProblem {
        try {
            return Environment.expand(words, environment, expansion);
        } catch (ConfigProblem e) {
            throw new StartProblem("CreateContainerConfigError", e.text());
        }
    }

    private static List<Mount> mounts(Json.Obj container, PodVolumes volumes, Map<String, String> environment)
            throws StartProblem {
        try {
            return volumes.mounts(container, environment);
        } catch (VolumeProblem e) {
            throw new StartProblem("CreateContainerConfigError", e.text());
        }
    }

    /// Values of Secrets in its environment and in its volumes, and the pod's own tokens.
    static List<String> masked(Resource pod, Json.Obj container, Environment.Sources sources, List<String> tokens) {
        if (pod.annotations().getOrDefault(UNMASKED, "").equals("false")) {
            return List.of();
        }
        var names = new LinkedHashSet<String>();
        container.objects("envFrom").forEach(from -> names.add(from.string("secretRef", "name")));
        container.objects("env").forEach(variable -> names.add(variable.string("valueFrom", "secretKeyRef", "name")));
        for (var mount : container.objects("volumeMounts")) {
            for (var volume : pod.spec().objects("volumes")) {
                if (volume.string("name").equals(mount.string("name"))) {
                    names.add(volume.string("secret", "secretName"));
                    volume.objects("projected", "sources")
                            .forEach(source -> names.add(source.string("secret", "name")));
                }
            }
        }
        names.remove("");
        var values = new ArrayList<>(tokens);
        for (var name : names) {
            sources.secret(name)
                    .ifPresent(secret -> secret.stringMap("data").values().stream()
                            .map(Secrets::text)
                            .filter(value -> value.length() >= SHORTEST_SECRET)
                            .forEach(values::add));
        }
        return values;
    }

    /// @param process its command line, which may not be the container's own
    /// @param variables its environment, likewise
    ContainerSpec spec(
            Resource pod, ContainerRun run, List<String> process, Map<String, String> variables, Files files) {
        var container = Containers.find(pod, name).orElse(Json.Obj.EMPTY);
        var mounted = new ArrayList<>(mounts);
        files.terminationMessage().ifPresent(mounted::add);
        return new ContainerSpec(
                run.id(),
                run.directory(),
                run.logDirectory(),
                new ContainerSpec.Command(
                        image, process, variables, workingDirectory, pod.spec().flag("shareProcessNamespace")),
                new ContainerSpec.View(
                        mounted,
                        files.hosts(),
                        hostname(pod),
                        isWithoutNetwork(pod) ? new ContainerSpec.Network.None() : run.network(),
                        container.flag("securityContext", "readOnlyRootFilesystem")),
                new ContainerSpec.Bounds(
                        user(pod, container), limits(pod, container, run.nodeMemory()), calls, rights, alone),
                new ContainerSpec.Streams(
                        container.flag("stdin"), container.flag("tty"), masked, files.stdout(), files.stderr()));
    }

    /// Files of the node that a container sees or writes.
    record Files(
            Optional<Path> hosts, Optional<Mount> terminationMessage, Optional<Path> stdout, Optional<Path> stderr) {}

    /// The container's own environment counts, whatever process stands in for it.
    private boolean isWithoutNetwork(Resource pod) {
        return environment.containsKey(NetworkNeeds.VARIABLE)
                || pod.annotations().getOrDefault(NetworkNeeds.ANNOTATION, "").equals(NetworkNeeds.NONE);
    }

    /// Who builds is held by the filter for builders in any case: the rights that go with it are not for use without.
    private static ContainerSpec.Calls calls(NodeParts parts, Resource pod, Json.Obj container) {
        if (parts.builders() && UnsupportedSettings.isBuilder(pod, container)) {
            return ContainerSpec.Calls.BUILDING;
        }
        return seccompProfile(pod, container).equals("Unconfined")
                ? ContainerSpec.Calls.ALL
                : ContainerSpec.Calls.FILTERED;
    }

    /// Whether all that its containers write is to be the server's user's own: where they write to directories that
    /// this user shares with them, or build images, which is done by one user.
    static boolean isAlone(NodeParts parts, Resource pod, PodVolumes volumes) {
        return Containers.all(pod).stream()
                .anyMatch(it -> calls(parts, pod, it) == ContainerSpec.Calls.BUILDING || volumes.isOnMachine(it));
    }

    static Set<String> rights(Json.Obj container) {
        var asked = container.object("securityContext", "capabilities");
        var dropped = asked.array("drop").strings();
        var rights = new LinkedHashSet<>(dropped.contains("ALL") ? List.<String>of() : USUAL_RIGHTS);
        dropped.forEach(rights::remove);
        asked.array("add").strings().stream().filter(USUAL_RIGHTS::contains).forEach(rights::add);
        return rights;
    }

    private static String seccompProfile(Resource pod, Json.Obj container) {
        var own = container.string("securityContext", "seccompProfile", "type");
        return own.isEmpty() ? pod.spec().string("securityContext", "seccompProfile", "type") : own;
    }

    private static ContainerSpec.User user(Resource pod, Json.Obj container) {
        return new ContainerSpec.User(
                id(pod, container, "runAsUser"), id(pod, container, "runAsGroup"), PodGroups.further(pod));
    }

    private static Optional<Integer> id(Resource pod, Json.Obj container, String field) {
        for (var context :
                List.of(container.object("securityContext"), pod.spec().object("securityContext"))) {
            if (context.get(field) instanceof Json.Int(var id)) {
                return Optional.of((int) id);
            }
        }
        return Optional.empty();
    }

    private static ContainerSpec.Limits limits(Resource pod, Json.Obj container, long memory) {
        var limits = container.object("resources", "limits");
        var cpu = ResourceLists.quantity(limits.get("cpu"));
        return new ContainerSpec.Limits(
                bytes(limits, "memory"),
                cpu.isPresent() ? OptionalLong.of(cpu.get().milliValue()) : OptionalLong.empty(),
                OptionalLong.empty(),
                bytes(limits, "ephemeral-storage"),
                OutOfMemoryScore.of(pod, container, memory));
    }

    /// What a container that runs may use from now on.
    static ContainerSpec.Limits compute(Json.Obj resources) {
        var limits = resources.object("limits");
        var cpu = ResourceLists.quantity(limits.get("cpu"));
        return new ContainerSpec.Limits(
                bytes(limits, "memory"),
                cpu.isPresent() ? OptionalLong.of(cpu.get().milliValue()) : OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0);
    }

    private static OptionalLong bytes(Json.Obj limits, String name) {
        var amount = ResourceLists.quantity(limits.get(name));
        return amount.isPresent() ? OptionalLong.of(amount.get().value()) : OptionalLong.empty();
    }

    static String hostname(Resource pod) {
        var asked = pod.spec().string("hostname");
        var name = asked.isEmpty() ? pod.name() : asked;
        // The kernel takes no more; a name must not end in a dash or a dot.
        return name.length() <= 63 ? name : name.substring(0, 63).replaceAll("[-.]+$", "");
    }
}
