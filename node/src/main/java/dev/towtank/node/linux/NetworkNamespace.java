package dev.towtank.node.linux;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/// A network beside the machine's, held open. It ends when nobody holds it, and no process is in it.
///
/// A thread that [enters][#enter] it belongs to it until it leaves: sockets that it opens are in there, and so are the
/// threads and processes that it starts. Only threads of the platform may enter, and may start nobody else meanwhile.
public final class NetworkNamespace implements SpawningThread.Place, AutoCloseable {

    private static final Path MACHINE = Path.of("/proc/self/ns/net"); // the first thread's, which never leaves it
    private static final Path OF_THREAD = Path.of("/proc/thread-self/ns/net");
    private static final int NEW_NETWORK = 0x40000000;

    private final int descriptor;
    private final String name;

    private final OptionalInt owner;

    /// @param owner its user namespace, when that is another than ours
    NetworkNamespace(int descriptor, OptionalInt owner) throws IOException {
        this.descriptor = descriptor;
        this.owner = owner;
        this.name =
                Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
    }

    /// Makes one, in which the calling thread is from now on.
    static NetworkNamespace create() throws IOException {
        Call.UNSHARE.call("make a network namespace", NEW_NETWORK);
        return new NetworkNamespace(Descriptors.open(OF_THREAD, 0, 0), OptionalInt.empty());
    }

    /// A link to the one of that name, if a process is in there.
    public static Optional<Path> find(String name) throws IOException {
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (var process : processes) {
                var link = process.resolve("ns/net");
                if (isNamed(link, name)) {
                    return Optional.of(link);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return Optional.empty();
    }

    private static boolean isNamed(Path link, String name) {
        try {
            return Files.readSymbolicLink(link).toString().equals(name);
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    /// As the kernel calls it, such as `net:[4026532281]`.
    public String name() {
        return name;
    }

    /// By which this process has it open.
    public int descriptor() {
        return descriptor;
    }

    /// For what is started in there by a thread that enters before. Empty where none may: then `nsenter` does it.
    public Optional<SpawningThread.Place> place() {
        return owner.isEmpty() ? Optional.of(this) : Optional.empty();
    }

    /// The user namespace in which whoever enters has to be, open in this process; empty where that is its own.
    public OptionalInt owner() {
        return owner;
    }

    @Override
    public void enter() throws IOException {
        Call.SETNS.call("enter a network namespace", descriptor, NEW_NETWORK);
    }

    @Override
    public void leave() throws IOException {
        goHome();
    }

    static void goHome() throws IOException {
        int machine = Descriptors.open(MACHINE, 0, 0);
        try {
            Call.SETNS.call("leave a network namespace", machine, NEW_NETWORK);
        } finally {
            Descriptors.close(machine);
        }
    }

    @Override
    public void close() {
        Descriptors.close(descriptor);
    }
}
