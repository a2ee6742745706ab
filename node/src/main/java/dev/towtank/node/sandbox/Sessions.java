package dev.towtank.node.sandbox;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The sessions of a sandbox, which end with it: what nobody asks how it has ended stays in the table of processes for
/// as
/// long as ours runs.
final class Sessions {

    private static final System.Logger LOG = System.getLogger(Sessions.class.getName());
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);

    private final Set<ExecSession> open = ConcurrentHashMap.newKeySet();

    ExecSession opened(ExecSession session) {
        open.removeIf(ExecSession::hasEnded);
        open.add(session);
        return session;
    }

    /// While the loop runs, which learns of their ends.
    void close() {
        open.forEach(ExecSession::close);
        for (var session : open) {
            try {
                if (!session.hasEndedWithin(AFTER_KILL)) {
                    LOG.log(Level.WARNING, "a process of a session does not end, though it was killed");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
