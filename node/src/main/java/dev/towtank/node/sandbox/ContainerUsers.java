package dev.towtank.node.sandbox;

import static java.util.stream.Collectors.joining;

import dev.towtank.node.images.Image;
import dev.towtank.node.images.store.FileOwners;
import dev.towtank.node.linux.Groundwork;
import dev.towtank.node.linux.ManyUsers;
import dev.towtank.node.linux.NetworkNamespace;
import dev.towtank.node.linux.SubordinateIds;
import dev.towtank.node.sandbox.machine.MachineView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/// Which containers have more than one user: all, where nothing stands against it. Who writes to the same volume must
/// mean the same users.
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

    /// @param user who it begins as
    /// @param ofRoot what has to be known to make the root of an image
    record Several(ManyUsers all, ManyUsers.World world, Jail.User user, ImageRoots.Users ofRoot) {

        /// That it has to enter one after the other; they are the caller's to close.
        List<Integer> namespaces() throws IOException {
            return all.enter(world, user.uid());
        }

        Groundwork.Becoming becoming() {
            return new Groundwork.Becoming(world.outer(), user.uid(), user.gid(), user.groups());
        }
    }

    Optional<Several> of(ContainerSpec spec, Jail.User user) throws IOException {
        if (spec.bounds().alone() || spec.bounds().calls() == ContainerSpec.Calls.BUILDING) {
            return Optional.empty();
        }
        var owners = owners(spec);
        var users = owners.isPresent() ? find() : Optional.<ManyUsers>empty();
        return users.filter(it -> areIn(it.ids(), user)).flatMap(it -> several(spec, user, it, owners.get()));
    }

    /// Of the files of its root that are not root's. What is the machine's is whose it is.
    private Optional<List<FileOwners.Owner>> owners(ContainerSpec spec) throws IOException {
        return spec.command().image().root() instanceof Image.Root.Layers(var files, var _)
                ? files.owners().filter(some -> haveRoom(spec, some))
                : Optional.of(List.of());
    }

    private static boolean areIn(SubordinateIds ids, Jail.User user) {
        return ids.have(user.uid(), user.gid()) && user.groups().stream().allMatch(group -> ids.have(0, group));
    }

    /// Each gets a copy of its own, above the image's layers.
    private boolean haveRoom(ContainerSpec spec, List<FileOwners.Owner> owners) {
        long bytes = owners.stream().mapToLong(FileOwners.Owner::bytes).sum();
        return bytes <= JailArguments.rootBytes(spec, machine) / 2;
    }

    private static Optional<Several> several(
            ContainerSpec spec, Jail.User user, ManyUsers users, List<FileOwners.Owner> owners) {
        var network =
                spec.view().network().namespace().map(NetworkNamespace::owner).orElse(OptionalInt.empty());
        try {
            var world = users.world(network);
            var rights = network.isPresent() || world.base().isEmpty()
                    ? new Groundwork.Rights.Had()
                    : new Groundwork.Rights.Entered(world.base().getAsInt());
            return Optional.of(new Several(users, world, user, new ImageRoots.Users(users.ids(), rights, owners)));
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
            return "Pods that write to directories of the machine, or build images, have one user only, to whom all of"
                    + " their files belong.";
        }
        return "All files that a container writes, and all of its image, belong to the server's user, whoever owns them in"
                + " the image and whatever user it runs as"
                + (problem.isEmpty() ? ": more need cgroups and overlays." : ": " + problem + ".");
    }

    /// For `setpriv`, whose process is root of the container by now: it becomes the container's user, with no rights
    /// but these, now or later.
    ///
    /// @param process the container's first one, in `/proc`
    static List<String> becoming(Path process, Jail.User user, Set<String> rights) throws IOException {
        boolean alone;
        try (var lines = Files.lines(process.resolve("uid_map"))) {
            alone = lines.count() <= 1;
        }
        var words = new ArrayList<String>();
        if (!alone) {
            words.addAll(List.of("--reuid=" + user.uid(), "--regid=" + user.gid()));
            var groups = user.groups().stream().map(String::valueOf).collect(joining(","));
            words.add(groups.isEmpty() ? "--clear-groups" : "--groups=" + groups);
        }
        var bounding = new StringBuilder("--bounding-set=-all");
        for (var right : alone || user.uid() != 0 ? Set.<String>of() : new TreeSet<>(rights)) {
            bounding.append(",+").append(right.toLowerCase(Locale.ROOT));
        }
        words.addAll(List.of(bounding.toString(), "--inh-caps=-all", "--no-new-privs", "--"));
        return words;
    }

    @Override
    public synchronized void close() {
        many.ifPresent(ManyUsers::close);
    }
}
