package dev.towtank.node.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/// A domain of the kernel's Landlock, for who shares the network of others. Unix sockets without files belong to a
/// network: whoever is in a domain reaches only those that were made in the same one, and so do all that it starts.
///
/// Nobody leaves a domain, and nobody in it may look into processes outside. It does without Landlock's scope for
/// signals: containers have process numbers of their own, and what is run in one later must reach what was run first.
public final class SocketScope {

    private static final int ASK_VERSION = 1;
    private static final int LEAST_VERSION = 6; // Linux 6.12
    private static final int SOCKETS_WITHOUT_FILES = 1;
    private static final int SIZE = 24;
    private static final int SCOPES_AT = 16; // behind what is handled of files and ports, which is nothing

    private SocketScope() {}

    /// Whether this kernel has such domains, and they are switched on.
    public static boolean isSupported() {
        return Call.LANDLOCK_CREATE_RULESET.raw(0, 0, ASK_VERSION, 0, 0, 0) >= LEAST_VERSION;
    }

    /// From now on the calling thread, and what it starts, is in a domain of its own.
    static void apply() throws LinuxException {
        int noNewPrivileges = 38;
        try (var arena = Arena.ofConfined()) {
            var rules = arena.allocate(SIZE, 8);
            rules.set(ValueLayout.JAVA_LONG, SCOPES_AT, SOCKETS_WITHOUT_FILES);
            int made = (int) Call.LANDLOCK_CREATE_RULESET.call("make a Landlock domain", rules.address(), SIZE, 0);
            try {
                Call.PRCTL.call("prctl", noNewPrivileges, 1);
                Call.LANDLOCK_RESTRICT_SELF.call("enter a Landlock domain", made, 0);
            } finally {
                Descriptors.close(made);
            }
        }
    }
}
