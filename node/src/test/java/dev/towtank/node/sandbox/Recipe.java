package dev.towtank.node.sandbox;

import dev.towtank.node.images.Image;
import dev.towtank.node.images.store.LayeredFiles;
import dev.towtank.node.images.store.StoredImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/// A container to be tested, with as little said as possible.
final class Recipe {

    private final String id;
    private final Path directory;
    private List<String> arguments = List.of("/bin/true");
    private final Map<String, String> environment = new TreeMap<>();
    private final List<ContainerSpec.Mount> mounts = new ArrayList<>();
    private final Map<String, Path> tools = new TreeMap<>();
    private Image.Shell shell = Image.Shell.DASH;
    private Image.Root root = new Image.Root.Host();
    private ContainerSpec.User user = ContainerSpec.User.ofImage();
    private ContainerSpec.Limits limits = ContainerSpec.Limits.none();
    private String workingDirectory = "";
    private String imageDirectory = "";
    private ContainerSpec.Network network = new ContainerSpec.Network.Machine();
    private boolean readOnlyRoot;
    private boolean init;
    private ContainerSpec.Calls calls = ContainerSpec.Calls.FILTERED;
    private Set<String> rights = Set.of();
    private boolean alone;
    private boolean stdin;
    private boolean tty;
    private List<String> masked = List.of();
    private Optional<Path> stdoutCopy = Optional.empty();

    Recipe(String id, Path home) {
        this.id = id;
        this.directory = home.resolve("runs").resolve(id);
    }

    Recipe command(String... command) {
        arguments = List.of(command);
        return this;
    }

    Recipe script(String script) {
        return command("/bin/sh", "-c", script);
    }

    Recipe variable(String name, String value) {
        environment.put(name, value);
        return this;
    }

    Recipe mount(Path source, String target, boolean readOnly) {
        mounts.add(new ContainerSpec.Mount(source, target, readOnly));
        return this;
    }

    Recipe mount(Path volume, String inside, String target, boolean readOnly) {
        mounts.add(new ContainerSpec.Mount(volume, inside, target, readOnly));
        return this;
    }

    Recipe shell(Image.Shell value) {
        shell = value;
        return this;
    }

    Recipe root(Path value) {
        root = new Image.Root.Directory(value);
        return this;
    }

    Recipe layers(StoredImage image) {
        root = new Image.Root.Layers(new LayeredFiles(image.root(), image.layers()), "test@" + image.digest());
        return this;
    }

    Recipe ofEngine() {
        root = new Image.Root.Engine();
        return this;
    }

    Recipe tool(String name, Path program) {
        tools.put(name, program);
        return this;
    }

    Recipe user(int uid, int gid, Integer... groups) {
        user = new ContainerSpec.User(Optional.of(uid), Optional.of(gid), List.of(groups));
        return this;
    }

    Recipe processes(long value) {
        limits = new ContainerSpec.Limits(
                limits.memoryBytes(), limits.cpuMillis(), OptionalLong.of(value), limits.rootBytes());
        return this;
    }

    Recipe memory(long value) {
        limits = new ContainerSpec.Limits(
                OptionalLong.of(value), limits.cpuMillis(), limits.processes(), limits.rootBytes());
        return this;
    }

    Recipe rootBytes(long value) {
        limits = new ContainerSpec.Limits(
                limits.memoryBytes(), limits.cpuMillis(), limits.processes(), OptionalLong.of(value));
        return this;
    }

    Recipe workingDirectory(String value) {
        workingDirectory = value;
        return this;
    }

    Recipe imageDirectory(String value) {
        imageDirectory = value;
        return this;
    }

    Recipe withoutNetwork() {
        network = new ContainerSpec.Network.None();
        return this;
    }

    Recipe readOnlyRoot() {
        readOnlyRoot = true;
        return this;
    }

    Recipe init() {
        init = true;
        return this;
    }

    Recipe unfiltered() {
        calls = ContainerSpec.Calls.ALL;
        return this;
    }

    Recipe building() {
        calls = ContainerSpec.Calls.BUILDING;
        return this;
    }

    Recipe alone() {
        alone = true;
        return this;
    }

    Recipe rights(Set<String> value) {
        rights = value;
        return this;
    }

    Recipe stdin() {
        stdin = true;
        return this;
    }

    Recipe tty() {
        tty = true;
        return this;
    }

    Recipe masked(String... values) {
        masked = List.of(values);
        return this;
    }

    Recipe stdoutCopy(Path file) {
        stdoutCopy = Optional.of(file);
        return this;
    }

    ContainerSpec spec() {
        var image = new Image("test", root, shell, List.of(), List.of(), "", imageDirectory, Map.of(), tools);
        return new ContainerSpec(
                id,
                directory,
                directory.resolveSibling(id + "-log"),
                new ContainerSpec.Command(image, arguments, environment, workingDirectory, init),
                new ContainerSpec.View(mounts, Optional.empty(), "test-host", network, readOnlyRoot),
                new ContainerSpec.Bounds(user, limits, calls, rights, alone),
                new ContainerSpec.Streams(stdin, tty, masked, stdoutCopy, Optional.empty()));
    }
}
