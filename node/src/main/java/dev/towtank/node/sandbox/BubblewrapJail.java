package dev.towtank.node.sandbox;

import dev.towtank.node.images.Image;
import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.Groundwork;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Spawn;
import dev.towtank.node.linux.SpawningThread;
import dev.towtank.node.linux.SystemCallFilter;
import dev.towtank.node.sandbox.machine.CarriedPrograms;
import dev.towtank.node.sandbox.machine.MachineSettings;
import dev.towtank.node.sandbox.machine.MachineView;
import dev.towtank.node.sandbox.machine.Shells;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Fences containers in with bubblewrap: own user, mount, pid, ipc and uts namespaces, no capabilities, no
/// way to new ones.
final class BubblewrapJail implements Jail {

    /// bubblewrap refuses more than 9000 arguments.
    private static final int MOST_VARIABLES = 2500;

    /// What the dynamic loader and libc of `nsenter`, which runs outside of the container, would obey.
    private static final Set<String> OBEYED_OUTSIDE = Set.of(
            "GCONV_PATH",
            "GETCONF_DIR",
            "GLIBC_TUNABLES",
            "HOSTALIASES",
            "LOCALDOMAIN",
            "LOCPATH",
            "MALLOC_TRACE",
            "NIS_PATH",
            "NLSPATH",
            "RESOLV_HOST_CONF",
            "RES_OPTIONS",
            "TMPDIR",
            "TZDIR");

    private static final List<String> WITH_TERMINAL = List.of("/usr/bin/setsid", "--ctty");

    private static final Pattern PID_NAMESPACE = Pattern.compile("\"pid-namespace\": ?([0-9]+)");

    private final MachineView machine;
    private final Path kept;
    private final MachineSettings settings;
    private final Path bubblewrap;
    private final Path nsenter;
    private final Path setpriv;
    private final ImageRoots roots;
    private final ImageRoots.Copied copies;
    private final Optional<String> overlayProblem;
    private final Shells shells;
    private final Optional<SystemCallFilter> filter;
    private final SpawningThread starts;
    private final SpawningThread entrance;
    private final Domains domains;
    private final ContainerUsers users;

    /// Programs of the machine.
    record Programs(Path bubblewrap, Path nsenter, Path setpriv) {}

    /// @param kept a directory for what is made of the machine's own files
    /// @param copies roots of containers on images, where layers cannot be put over each other
    /// @param overlayProblem why they cannot
    /// @param bounded whether a container's processes are bounded together, whatever users they become
    BubblewrapJail(
            MachineView machine,
            Path kept,
            MachineSettings settings,
            Programs programs,
            ImageRoots.Copied copies,
            Optional<String> overlayProblem,
            boolean bounded)
            throws IOException {
        this.machine = machine;
        this.kept = kept;
        this.settings = settings;
        this.bubblewrap = programs.bubblewrap;
        this.nsenter = programs.nsenter;
        this.setpriv = programs.setpriv;
        this.copies = copies;
        this.overlayProblem = overlayProblem;
        this.roots = overlayProblem.isPresent() ? copies : new ImageRoots.Overlaid(machine);
        this.shells = new Shells(machine);
        this.filter = SystemCallFilter.ofThisMachine();
        this.starts = new SpawningThread("starts");
        this.entrance = new SpawningThread("entrance");
        var entering = filter.map(SystemCallFilter::entering);
        if (entering.isPresent()) {
            entrance.hold(entering.get());
        }
        this.domains = new Domains(entering);
        this.users = new ContainerUsers(machine, bounded && overlayProblem.isEmpty());
    }

    @Override
    public Prepared prepare(ContainerSpec spec, OptionalInt gate, OptionalInt terminal) throws IOException {
        check(spec);
        boolean layered = spec.command().image().root() instanceof Image.Root.Layers;
        var user = User.of(spec);
        var many = users.of(spec, user);
        var layers = layered
                ? roots.make(spec, many.map(ContainerUsers.Several::ofRoot))
                : Optional.<Groundwork.Layers>empty();
        var files = new ArrayList<Integer>();
        var composed = new JailArguments(machine, shells, kept, settings, filter, roots);
        try {
            var arguments =
                    composed.of(spec, user, many.isPresent() ? many.get().namespaces() : List.of(), files);
            if (terminal.isPresent()) {
                arguments.addAll(List.of("--sync-fd", Integer.toString(JailArguments.FIRST_FILE + files.size())));
                files.add(Descriptors.duplicate(terminal.getAsInt(), 0));
            }
            if (gate.isPresent()) {
                arguments.addAll(List.of("--block-fd", Integer.toString(JailArguments.FIRST_FILE + files.size())));
                files.add(Descriptors.duplicate(gate.getAsInt(), 0));
            }
            files.addFirst(Descriptors.memory(JailText.bytes(arguments)));
        } catch (IOException | RuntimeException e) {
            files.forEach(Descriptors::close);
            composed.fence().ifPresent(Fence::close);
            throw e;
        }
        // The environment is in the file: there it is on no command line, and bubblewrap itself does not obey it.
        var line = new ArrayList<>(List.of("bwrap", "--args", "3", "--args", "6", "--"));
        if (terminal.isPresent()) {
            line.addAll(layered ? CarriedPrograms.line("setsid", "--ctty") : WITH_TERMINAL);
        }
        line.addAll(spec.command().arguments());
        // Who enters a network must be in the user namespace that it belongs to.
        var network = spec.view().network().namespace().filter(it -> it.owner().isPresent());
        if (layers.isEmpty() && network.isEmpty() && many.isEmpty()) {
            return new Prepared(bubblewrap, line, List.of(), files, List.of(), composed.fence(), Optional.empty());
        }
        return new Prepared(
                layers.isPresent() ? ImageRoots.Overlaid.program() : bubblewrap,
                layers.isPresent() ? ImageRoots.Overlaid.around(machine, layers.get(), bubblewrap, line) : line,
                List.of(),
                files,
                List.of(),
                composed.fence(),
                Optional.of(new Direct(
                        bubblewrap,
                        line,
                        new Groundwork(network, layers, many.map(ContainerUsers.Several::becoming)),
                        many.isPresent())));
    }

    @Override
    public boolean gated() {
        return true;
    }

    private static void check(ContainerSpec spec) throws IOException {
        if (spec.command().environment().size() > MOST_VARIABLES) {
            throw new IOException(
                    "the container has " + spec.command().environment().size()
                            + " environment variables, and more than " + MOST_VARIABLES + " cannot be passed to it");
        }
        checkProcess(spec.command().arguments(), spec.command().environment());
        if (JailText.hasControls(spec.view().hostname())) {
            throw new IOException(
                    "the host name " + JailText.shown(spec.view().hostname()) + " holds a control character");
        }
    }

    private static void checkProcess(List<String> arguments, Map<String, String> environment) throws IOException {
        for (var variable : environment.entrySet()) {
            if (variable.getKey().indexOf('\0') >= 0 || variable.getValue().indexOf('\0') >= 0) {
                throw new IOException("the environment variable " + JailText.shown(variable.getKey())
                        + " holds a zero byte, which no process can be given");
            }
        }
        for (var argument : arguments) {
            if (argument.indexOf('\0') >= 0) {
                throw new IOException("an argument holds a zero byte, which no process can be given");
            }
        }
    }

    /// It is needed by an option in the other file, so without it bubblewrap gives up at once.
    @Override
    public byte[] release() {
        return "--unshare-uts\0".getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String voice() {
        return "bwrap: ";
    }

    @Override
    public Exit.NotStarted explain(Optional<ContainerSpec> spec, String said, Instant at) {
        return StartProblems.of(spec, said.startsWith(voice()) ? said.substring(voice().length()) : said, at);
    }

    @Override
    public int start(ContainerSpec spec, Spawn.Program program, Optional<? extends SpawningThread.Place> place)
            throws IOException {
        if (!(spec.view().network() instanceof ContainerSpec.Network.Machine && domains.areSupported())) {
            return place.isPresent() ? starts.start(program, place) : Spawn.start(program);
        }
        var thread = domains.open("container");
        try {
            int monitor = thread.start(program, place);
            domains.give(spec.id(), thread);
            return monitor;
        } catch (IOException | RuntimeException e) {
            thread.close();
            throw e;
        }
    }

    @Override
    public SpawningThread ahead() throws IOException {
        return domains.open("launcher");
    }

    @Override
    public void became(String id, SpawningThread ahead) throws IOException {
        domains.give(id, ahead);
    }

    @Override
    public void ended(String id) {
        domains.forget(id);
        copies.discard(id);
    }

    @Override
    public OptionalLong overfull(String id, OptionalInt first) {
        return copies.overfull(id, first);
    }

    @Override
    public Prepared enter(String id, int pid, User user, ExecSpec command) throws IOException {
        var line = new ArrayList<String>(List.of("nsenter"));
        var process = Path.of("/proc", Integer.toString(pid));
        var held = new ArrayList<Integer>();
        var inherited = new ArrayList<Integer>();
        boolean onMachine = sameNetwork(process);
        boolean foreign = false;
        var domain = onMachine ? domains.forLater(id) : domains.of(id);
        if (!machine.root()) {
            int outer = outerNamespace(process);
            held.add(outer);
            var ours = domain.map(Domains.Domain::thread).orElse(entrance).descriptors();
            foreign = !onMachine && enterNetwork(process, outer, ours, line, held);
            if (foreign) { // from where nobody may look into this process
                inherited.add(outer);
            }
            var path = foreign ? "/proc/self/fd/3" : ours + outer;
            line.addAll(List.of("--user=" + path, "--preserve-credentials", "--", nsenter.toString()));
        }
        if (domain.isPresent() && !domain.get().first()) {
            namespaces(process, line, inherited);
            held.addAll(inherited);
        } else {
            line.addAll(List.of("-t", Integer.toString(pid), "-U", "-m", "-p", "-i", "-u"));
        }
        line.add("--preserve-credentials");
        if (!onMachine && !foreign) {
            line.add("-n");
        }
        checkProcess(command.arguments(), command.environment());
        RootPaths.check(command.workingDirectory().isEmpty() ? "/" : command.workingDirectory());
        line.add("--wdns=" + (command.workingDirectory().isEmpty() ? "/" : command.workingDirectory()));
        line.add("--");
        boolean carried = CarriedPrograms.areIn(process);
        line.addAll(carried ? CarriedPrograms.line("setpriv") : List.of(setpriv.toString()));
        line.addAll(ContainerUsers.becoming(process, user, command.rights()));
        if (command.tty()) {
            // A session of its own with the terminal: else Ctrl-C would end nsenter, too.
            line.addAll(carried ? CarriedPrograms.line("setsid", "--ctty") : WITH_TERMINAL);
        }
        line.addAll(command.arguments());
        return new Prepared(nsenter, line, harmless(command.environment()), inherited, held);
    }

    /// A network that is older than the container belongs to another user namespace than the container's own, and is
    /// entered from there.
    ///
    /// @param outer the one that has the container's namespaces
    private boolean enterNetwork(Path process, int outer, String ours, List<String> line, List<Integer> held)
            throws IOException {
        int network = Descriptors.open(process.resolve("ns/net"), 0, 0);
        held.add(network);
        int owner = Processes.owningNamespace(network);
        held.add(owner);
        if (Files.readSymbolicLink(Path.of("/proc/self/fd/" + owner))
                .equals(Files.readSymbolicLink(Path.of("/proc/self/fd/" + outer)))) {
            return false;
        }
        line.addAll(List.of(
                "--user=" + ours + owner,
                "--net=" + ours + network,
                "--preserve-credentials",
                "--",
                nsenter.toString()));
        return true;
    }

    /// What is run in a container later is held as tightly as what was run first.
    @Override
    public int startEntering(String id, Spawn.Program program, Optional<? extends SpawningThread.Place> place)
            throws IOException {
        return domains.of(id).map(Domains.Domain::thread).orElse(entrance).start(program, place);
    }

    @Override
    public void close() {
        starts.close();
        entrance.close();
        domains.close();
        users.close();
        copies.close();
    }

    /// For who may not look into the container's processes: those of an earlier server are in a domain that nobody
    /// else can enter. What is inherited for this stays open inside, where it leads nowhere new.
    private static void namespaces(Path process, List<String> line, List<Integer> inherited) throws IOException {
        var options = Map.of("user", "user", "mnt", "mount", "pid", "pid", "ipc", "ipc", "uts", "uts");
        for (var option : new TreeMap<>(options).entrySet()) {
            line.add("--" + option.getValue() + "=/proc/self/fd/" + (3 + inherited.size()));
            inherited.add(Descriptors.open(process.resolve("ns").resolve(option.getKey()), 0, 0));
        }
    }

    /// Around the container's user namespace is another one, that owns its other namespaces. Without being
    /// root, we must be in that one to enter them.
    private static int outerNamespace(Path process) throws IOException {
        int inner = Descriptors.open(process.resolve("ns/user"), 0, 0);
        try {
            return Processes.parentNamespace(inner);
        } finally {
            Descriptors.close(inner);
        }
    }

    private static boolean sameNetwork(Path process) throws IOException {
        return Files.readSymbolicLink(process.resolve("ns/net"))
                .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/net")));
    }

    private static List<String> harmless(Map<String, String> environment) {
        var kept = new ArrayList<String>();
        new TreeMap<>(environment).forEach((name, value) -> {
            if (!name.startsWith("LD_") && !OBEYED_OUTSIDE.contains(name)) {
                kept.add(name + "=" + value);
            }
        });
        return kept;
    }

    /// Its number there: behind the usual ones and the files of settings.
    @Override
    public int terminalNumber(Prepared prepared, boolean gated) {
        return JailArguments.FIRST_FILE - 1 + prepared.more().size() - (gated ? 2 : 1);
    }

    @Override
    public boolean begun(int process) {
        try {
            return !Files.readSymbolicLink(Path.of("/proc/" + process + "/exe")).equals(bubblewrap);
        } catch (IOException e) {
            return true; // it has gone
        }
    }

    @Override
    public boolean takesNetworks() {
        return true;
    }

    @Override
    public boolean endsWithItsCommand() {
        return true;
    }

    /// The first process in the pid namespace, if it is still that one: its end is that of all others.
    @Override
    public OptionalInt leftover(int monitor, String status) {
        var child = ContainerFiles.child(status);
        var namespace = PID_NAMESPACE.matcher(status);
        if (child.isEmpty()
                || !namespace.find()
                || Processes.started(child.getAsInt()).isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            var link = Files.readSymbolicLink(Path.of("/proc/" + child.getAsInt() + "/ns/pid"));
            return link.toString().equals("pid:[" + namespace.group(1) + "]") ? child : OptionalInt.empty();
        } catch (IOException e) {
            return OptionalInt.empty();
        }
    }

    @Override
    public Abilities abilities(Cgroups cgroups) {
        var missing = new ArrayList<String>();
        boolean noCgroups = cgroups.none();
        if (!cgroups.boundCpu()) {
            missing.add("CPU limits are not enforced: this needs a cgroup that the server may write to.");
        }
        if (noCgroups) {
            missing.add("A memory limit holds for each process alone, and exceeding it makes allocations fail.");
        }
        if (noCgroups && machine.root()) {
            missing.add("The number of processes is not bounded: root's never is without a cgroup.");
        }
        if (filter.isEmpty()) {
            missing.add("System calls are not filtered: this kernel, or this architecture, has no filter for them.");
        }
        if (!domains.areSupported()) {
            missing.add(
                    "Containers on the machine's network reach its unix sockets without files: to keep them apart needs"
                            + " Landlock of Linux 6.12.");
        }
        overlayProblem.ifPresent(why -> missing.add("Containers on images get a copy of the image's files, as " + why
                + ": they start more slowly, and what they write is on the disk and bounded by a look now and then."));
        missing.add(users.missing());
        var processes = machine.root() ? Abilities.LimitsBy.NOBODY : Abilities.LimitsBy.RLIMIT;
        return new Abilities(
                true,
                noCgroups ? Abilities.LimitsBy.RLIMIT : Abilities.LimitsBy.CGROUP,
                cgroups.boundCpu() ? Abilities.LimitsBy.CGROUP : Abilities.LimitsBy.NOBODY,
                noCgroups ? processes : Abilities.LimitsBy.CGROUP,
                missing);
    }
}
