package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Groundwork;
import dev.towtank.node.linux.Spawn;
import dev.towtank.node.linux.SpawningThread;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// How a container is fenced in: what to start for it. All else about processes is the same for each.
///
/// What is started, the monitor, first waits for its [#release] on descriptor 3 and ends without having done
/// anything if that never comes. Then it starts the command, writes `{ "child-pid": n }` to 4 and 5, and,
/// when the command has ended, `{ "exit-code": n }` to 5.
interface Jail {

    /// The monitor; its descriptors from 6 on are in [Prepared#more].
    ///
    /// @param gate when given, the command must not begin before something can be read from it; open for
    ///     both ways, as our end must not open it
    /// @param terminal our side of the container's terminal, for its first process to hold
    Prepared prepare(ContainerSpec spec, OptionalInt gate, OptionalInt terminal) throws IOException;

    /// Under which number the container's first process holds our side of the terminal.
    int terminalNumber(Prepared prepared, boolean gated);

    /// What makes the monitor go on.
    byte[] release();

    /// A monitor's first words on the container's output when it, and not the command, has something to say.
    String voice();

    /// What a monitor that failed has said, as a reason why the command was not started.
    Exit.NotStarted explain(Optional<ContainerSpec> spec, String said, Instant at);

    /// One more process in the container whose first one is `pid`; its descriptors from 3 on are in `more`.
    Prepared enter(String id, int pid, User user, ExecSpec command) throws IOException;

    /// Starts what [#prepare] has prepared.
    ///
    /// @param place the container's cgroups and network, where a thread of ours can go there
    default int start(ContainerSpec spec, Spawn.Program program, Optional<? extends SpawningThread.Place> place)
            throws IOException {
        return Spawn.start(program);
    }

    /// Starts what [#enter] has prepared.
    ///
    /// @param place the container's cgroups, where a thread of ours can go there
    default int startEntering(String id, Spawn.Program program, Optional<? extends SpawningThread.Place> place)
            throws IOException {
        return Spawn.start(program);
    }

    /// A thread that starts a monitor before it is known for which container.
    default SpawningThread ahead() throws IOException {
        return new SpawningThread("launcher");
    }

    /// The container that it was for.
    default void became(String id, SpawningThread ahead) throws IOException {
        ahead.close();
    }

    /// The container has ended.
    default void ended(String id) {}

    /// @param first the container's first process
    /// @see Sandbox#overfull
    default OptionalLong overfull(String id, OptionalInt first) {
        return OptionalLong.empty();
    }

    Abilities abilities(Cgroups cgroups);

    /// Whether this process of a container is the command already, and not the monitor's preparation for it.
    boolean begun(int process);

    /// Whether nothing is left of a container whose command was process 1 and has ended.
    boolean endsWithItsCommand();

    /// A process of the container that is still there after its monitor has ended; killing it must end the
    /// others, or they are found by asking again.
    OptionalInt leftover(int monitor, String status);

    /// Nothing must be left of this container, whatever became of its monitor.
    default void forget(String id) throws IOException {}

    /// Whether the command is not the first process of its container, but a child of that.
    default boolean hasInit(ContainerSpec spec) {
        return spec.command().init() || spec.streams().tty(); // who holds a terminal for us is process 1
    }

    /// Whether the container is in the network of who starts its monitor.
    default boolean takesNetworks() {
        return false;
    }

    /// Whether it sees to limits itself.
    default boolean limits() {
        return false;
    }

    default void close() {}

    /// @param program what is started
    /// @param more descriptors to hand over behind the usual ones, and to close afterwards
    /// @param held descriptors to close when the process has ended
    /// @param fence what is to be looked at before the command may begin
    /// @param direct another way to the same, quicker, for who is started by this process itself
    record Prepared(
            Path program,
            List<String> arguments,
            List<String> environment,
            List<Integer> more,
            List<Integer> held,
            Optional<Fence> fence,
            Optional<Direct> direct) {
        Prepared(
                Path program,
                List<String> arguments,
                List<String> environment,
                List<Integer> more,
                List<Integer> held) {
            this(program, arguments, environment, more, held, Optional.empty(), Optional.empty());
        }

        /// Whether a process that waits already can become it.
        boolean canBeLaunched() {
            return !direct.map(Direct::only).orElse(false);
        }

        Spawn.Program with(List<Integer> first, Optional<Path> terminal) {
            var all = new ArrayList<>(first);
            all.addAll(more);
            return new Spawn.Program(
                    direct.map(Direct::program).orElse(program),
                    direct.map(Direct::arguments).orElse(arguments),
                    environment,
                    all,
                    terminal,
                    Optional.of(Path.of("/")),
                    direct.map(Direct::groundwork));
        }
    }

    /// A program, and what is done in its process before it begins.
    ///
    /// @param only there is no other way
    record Direct(Path program, List<String> arguments, Groundwork groundwork, boolean only) {}

    /// Whether the command waits at a gate, see [#prepare].
    default boolean gated() {
        return false;
    }

    /// Who a container's processes are, in its own eyes.
    ///
    /// @param groups further ones
    record User(int uid, int gid, List<Integer> groups) {
        public User {
            groups = List.copyOf(groups);
        }

        static User of(ContainerSpec spec) {
            var image = spec.command().image().user().split(":", 2);
            int uid = spec.bounds().user().uid().orElseGet(() -> number(image[0]));
            int gid = spec.bounds().user().gid().orElseGet(() -> image.length > 1 ? number(image[1]) : 0);
            return new User(uid, gid, spec.bounds().user().groups());
        }

        private static int number(String name) {
            return switch (name) {
                case "", "root" -> 0;
                case "nobody", "nogroup" -> 65534;
                case "nonroot" -> 65532;
                default -> numeric(name).orElse(1000);
            };
        }

        private static OptionalInt numeric(String name) {
            return name.matches("[0-9]{1,9}") ? OptionalInt.of(Integer.parseInt(name)) : OptionalInt.empty();
        }
    }
}
