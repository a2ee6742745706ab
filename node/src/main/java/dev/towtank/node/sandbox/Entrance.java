package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Signal;
import dev.towtank.node.linux.Spawn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Starts what is run in a container later, so that it has the container's bounds before it does anything: in the
/// container's cgroups from its first moment where threads can be there. Elsewhere a shell waits until it is
/// bounded, and becomes the program then.
record Entrance(ContainerProcess.Workshop workshop, String container, int firstProcess) {

    private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /// A shell sets it whenever it starts something.
    private static final String LEVEL = "SHLVL";

    /// @param ends the first descriptors of the process, unless there is a terminal
    int start(Jail.Prepared prepared, List<Integer> ends, Optional<Path> terminal) throws IOException {
        var place = workshop.cgroups().place(container);
        if (place.isPresent() || workshop.jail().limits()) {
            int pid = workshop.jail().startEntering(container, prepared.with(ends, terminal), place);
            if (!workshop.jail().limits()) {
                asWilling(pid);
            }
            return pid;
        }
        try (var opened = new Opened()) {
            var release = opened.add(Descriptors.pipe());
            int first = 3 + prepared.more().size();
            int script = opened.add(Descriptors.memory(script(prepared, terminal.isPresent(), first)));
            var handed = new ArrayList<>(ends);
            if (terminal.isPresent()) {
                int none = opened.add(Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0));
                handed.addAll(List.of(none, none, none));
            }
            handed.addAll(prepared.more());
            handed.addAll(List.of(script, release.readEnd()));
            if (terminal.isPresent()) {
                int flags = Descriptors.READ_WRITE | Descriptors.NO_CONTROLLING_TERMINAL;
                handed.add(opened.add(Descriptors.open(terminal.get(), flags, 0)));
            }
            int pid = workshop.jail()
                    .startEntering(
                            container,
                            new Spawn.Program(
                                    workshop.bash(),
                                    List.of("towtank-entrance", "--norc", "--noprofile", "-p", "-c", waiting(first)),
                                    unknownToShells(prepared),
                                    handed,
                                    Optional.empty(),
                                    Optional.of(Path.of("/"))),
                            place);
            bound(pid);
            Descriptors.write(release.writeEnd(), new byte[] {'\n'});
            return pid;
        }
    }

    /// Ends with the server, which holds the other end. See [Launchers] about the file.
    private static String waiting(int first) {
        return "read -r _ <&%d && . /proc/self/fd/%d".formatted(first + 1, first);
    }

    /// To be ended when no memory is left.
    private void asWilling(int pid) {
        try {
            Processes.copyOutOfMemoryScore(firstProcess, pid);
        } catch (IOException e) {
            // one of them has ended
        }
    }

    private void bound(int pid) throws IOException {
        asWilling(pid);
        try {
            if (workshop.cgroups().none()) {
                for (int resource : List.of(Processes.LIMIT_DATA, Processes.LIMIT_PROCESSES)) {
                    Processes.limitLike(firstProcess, pid, resource);
                }
            } else {
                workshop.cgroups().join(container, pid);
            }
        } catch (IOException e) {
            Processes.signal(pid, Signal.KILL.number());
            var _ = Processes.await(pid);
            throw e;
        }
    }

    /// A shell hands on what it cannot call by a name.
    private static List<String> unknownToShells(Jail.Prepared prepared) {
        return prepared.environment().stream()
                .filter(variable -> !SHELL_NAME.matcher(name(variable)).matches())
                .toList();
    }

    private static String name(String variable) {
        return variable.substring(0, variable.indexOf('='));
    }

    /// In a file of its own: no value is on a command line, nor does the shell obey any of these variables. A
    /// shell that begins with a terminal makes it its own, and nobody inside could have it then.
    ///
    /// @param first the number of this file; behind it is what releases the shell, and its terminal
    private static byte[] script(Jail.Prepared prepared, boolean terminal, int first) {
        var script = new StringBuilder("exec %d<&- %d<&-".formatted(first, first + 1));
        if (terminal) {
            script.append(" 0<&%1$d 1>&%1$d 2>&%1$d %1$d<&-".formatted(first + 2));
        }
        script.append("\n{\nunset _ PWD OLDPWD\n");
        var level = "-u " + LEVEL;
        for (var variable : prepared.environment()) {
            var name = name(variable);
            var value = Launchers.quoted(variable.substring(name.length() + 1));
            if (name.equals(LEVEL)) {
                level = LEVEL + "=" + value;
            } else if (SHELL_NAME.matcher(name).matches()) {
                script.append("export ").append(name).append('=').append(value).append('\n');
            }
        }
        script.append("} 2>/dev/null\nexec /usr/bin/env ").append(level);
        script.append(' ').append(Launchers.quoted(prepared.program().toString()));
        for (var argument : prepared.arguments().subList(1, prepared.arguments().size())) {
            script.append(' ').append(Launchers.quoted(argument));
        }
        return script.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }
}
