package dev.towtank.node.sandbox;

import dev.towtank.node.images.Image;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// The few files of `/etc` that a container has its own of, and the variables that every process has.
final class Settings {

    private static final String USERS = """
            root:x:0:0:root:/root:/bin/sh
            daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
            nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
            """;
    private static final String GROUPS = """
            root:x:0:
            daemon:x:1:
            tty:x:5:
            nogroup:x:65534:
            """;
    private static final String NAMES = """
            passwd: files
            group: files
            shadow: files
            hosts: files dns
            services: files
            protocols: files
            """;

    private Settings() {}

    static Map<String, String> of(Jail.User user, ContainerSpec spec) throws IOException {
        var files = new TreeMap<String, String>();
        files.put(
                "/etc/passwd",
                known(user.uid()) ? USERS : USERS + "user:x:%d:%d::/:/bin/sh\n".formatted(user.uid(), user.gid()));
        files.put("/etc/group", known(user.gid()) ? GROUPS : GROUPS + "user:x:%d:\n".formatted(user.gid()));
        files.put("/etc/nsswitch.conf", NAMES);
        files.put("/etc/hostname", spec.view().hostname() + "\n");
        files.put("/etc/resolv.conf", resolver(spec));
        return files;
    }

    static String resolver(ContainerSpec spec) throws IOException {
        if (spec.view().network() instanceof ContainerSpec.Network.Own own) {
            return own.resolver();
        }
        var machine = Path.of("/etc/resolv.conf");
        return Files.isReadable(machine) ? Files.readString(machine) : "";
    }

    private static boolean known(int id) {
        return id == 0 || id == 1 || id == 5 || id == 65534;
    }

    /// The container's environment, and what every engine adds where it is missing.
    static Map<String, String> variables(ContainerSpec spec, Jail.User user) {
        var variables = new TreeMap<>(spec.command().environment());
        variables.putIfAbsent("PATH", Image.PATH);
        variables.putIfAbsent("HOSTNAME", spec.view().hostname());
        variables.putIfAbsent("HOME", user.uid() == 0 ? "/root" : "/");
        if (spec.streams().tty()) {
            variables.putIfAbsent("TERM", "xterm");
        }
        return variables;
    }
}
