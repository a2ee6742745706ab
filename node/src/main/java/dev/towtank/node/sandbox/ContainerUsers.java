package dev.towtank.node.sandbox;

import dev.towtank.node.images.store.FileOwners;
import dev.towtank.node.linux.Groundwork;
import dev.towtank.node.linux.ManyUsers;
import dev.towtank.node.linux.NetworkNamespace;
import dev.towtank.node.sandbox.machine.MachineView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/// Which containers have more than one user: those that begin as root on an image of their own, as the programs of many
/// images do to become somebody else, and where nothing stands against it.
final class ContainerUsers implements AutoCloseable {

    private final MachineView machine;
    private final boolean possible;

    // Guarded by this object's monitor.
    private boolean tried;
    private Optional<ManyUsers> many = Optional.empty();
    private String problem = "";

    /// @param possible as far as what a container may use is bounded whatever user it becomes
    ContainerUsers(MachineView machine, boolean possible) {
        this.machine = machine;
        this.possible = possible;
    }

    /// @param ofRoot what has to be known to make its root
    record Several(ManyUsers.World world, ImageRoots.Users ofRoot) {}

    Optional<Several> of(ContainerSpec spec, Jail.User user) throws IOException {
        if (user.uid() != 0
                || user.gid() != 0
                || spec.bounds().rights().isEmpty()
                || spec.bounds().calls() != ContainerSpec.Calls.FILTERED
                || (!machine.root() && writesToDirectories(spec))) {
            return Optional.empty();
        }
        var owners = ImageRoots.files(spec).owners().filter(some -> haveRoom(spec, some));
        var users = owners.isPresent() ? find() : Optional.<ManyUsers>empty();
        return users.isPresent() ? several(spec, users.get(), owners.get()) : Optional.empty();
    }

    /// Each gets a copy of its own, above the image's layers.
    private boolean haveRoom(ContainerSpec spec, List<FileOwners.Owner> owners) {
        long bytes = owners.stream().mapToLong(FileOwners.Owner::bytes).sum();
        return bytes <= JailArguments.rootBytes(spec, machine) / 2;
    }

    /// What belongs to others a server without rights could neither measure nor delete.
    private static boolean writesToDirectories(ContainerSpec spec) {
        return spec.view().mounts().stream().anyMatch(it -> !it.readOnly() && Files.isDirectory(it.volume()));
    }

    private Optional<Several> several(ContainerSpec spec, ManyUsers users, List<FileOwners.Owner> owners) {
        var network =
                spec.view().network().namespace().map(NetworkNamespace::owner).orElse(OptionalInt.empty());
        try {
            var world = users.world(network);
            var rights = network.isPresent() || world.base().isEmpty()
                    ? new Groundwork.Rights.Had()
                    : new Groundwork.Rights.Entered(world.base().getAsInt());
            return Optional.of(new Several(world, new ImageRoots.Users(users.ids(), rights, owners)));
        } catch (IOException e) {
            return Optional.empty(); // the network is one of an earlier server, that knew nothing of this
        }
    }

    private synchronized Optional<ManyUsers> find() {
        if (!tried) {
            tried = true;
            try {
                many = possible ? Optional.of(ManyUsers.find()) : Optional.empty();
            } catch (IOException e) {
                problem = String.valueOf(e.getMessage());
            }
        }
        return many;
    }

    /// What no container gets, as a sentence.
    String missing() {
        if (find().isPresent()) {
            return "Containers that begin as another user than root, or write to "
                    + (machine.root() ? "shared volumes," : "volumes,")
                    + " have one user only, to whom all of their files belong.";
        }
        return "All files that a container writes, and all of its image, belong to the server's user, whoever owns them in"
                + " the image and whatever user it runs as"
                + (problem.isEmpty() ? ": more need cgroups and overlays." : ": " + problem + ".");
    }

    /// @param process the container's first one, in `/proc`
    static boolean areSeveral(Path process) throws IOException {
        try (var lines = Files.lines(process.resolve("uid_map"))) {
            return lines.count() > 1;
        }
    }

    /// For `setpriv`: no rights but these, now or later.
    static String bounding(Set<String> rights) {
        var all = new StringBuilder("--bounding-set=-all");
        for (var right : new TreeSet<>(rights)) {
            all.append(",+").append(right.toLowerCase(Locale.ROOT));
        }
        return all.toString();
    }

    @Override
    public synchronized void close() {
        many.ifPresent(ManyUsers::close);
    }
}
