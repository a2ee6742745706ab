package dev.towtank.node.sandbox;

import dev.towtank.node.linux.SocketScope;
import dev.towtank.node.linux.SpawningThread;
import dev.towtank.node.linux.SystemCallFilter;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// A domain for each container that shares the machine's network: see [SocketScope]. As nobody can be put into one,
/// the thread that started a container stays in it, for what is run there later.
final class Domains implements AutoCloseable {

    private final boolean supported = SocketScope.isSupported();
    private final Optional<SystemCallFilter> later;
    private final Map<String, Domain> domains = new ConcurrentHashMap<>();

    /// @param first whether the container itself is in it
    record Domain(SpawningThread thread, boolean first) {}

    /// @param later what those may not do who are started when a container runs already
    Domains(Optional<SystemCallFilter> later) {
        this.later = later;
    }

    boolean areSupported() {
        return supported;
    }

    /// A thread in a new domain, where there are any.
    SpawningThread open(String name) throws IOException {
        var thread = new SpawningThread(name);
        try {
            if (supported) {
                thread.isolate();
            }
            return thread;
        } catch (IOException | RuntimeException e) {
            thread.close();
            throw e;
        }
    }

    /// From now on it starts nothing but what is run in this container later.
    void give(String container, SpawningThread thread) throws IOException {
        if (supported) {
            put(container, thread, true);
        } else {
            thread.close(); // any thread will do
        }
    }

    private void put(String container, SpawningThread thread, boolean first) throws IOException {
        if (later.isPresent()) {
            thread.hold(later.get());
        }
        var former = domains.put(container, new Domain(thread, first));
        if (former != null) {
            former.thread.close();
        }
    }

    /// For what is run in a container on the machine's network. One that an earlier server started is in a domain
    /// that nobody else can enter: there it is another one.
    synchronized Optional<Domain> forLater(String container) throws IOException {
        if (supported && !domains.containsKey(container)) {
            put(container, open("container"), false);
        }
        return of(container);
    }

    Optional<Domain> of(String container) {
        return Optional.ofNullable(domains.get(container));
    }

    void forget(String container) {
        var domain = domains.remove(container);
        if (domain != null) {
            domain.thread.close();
        }
    }

    @Override
    public void close() {
        domains.values().forEach(domain -> domain.thread.close());
        domains.clear();
    }
}
