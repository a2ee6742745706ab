package dev.towtank.apiserver.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The kept changes of one resource, or of all, as a list that every feed on it walks. One thread appends and trims.
final class Lane {

    static final class Node {
        private final long revision;
        private final @Nullable Change change;
        private volatile @Nullable Node next;
        private volatile @Nullable Node previous;

        private Node(long revision, @Nullable Change change, @Nullable Node previous) {
            this.revision = revision;
            this.change = change;
            this.previous = previous;
        }

        long revision() {
            return revision;
        }

        @Nullable
        Change change() {
            return change;
        }

        @Nullable
        Node next() {
            return next;
        }
    }

    /// Stands after a node whose successors are forgotten, so that a feed left behind holds on to nothing but itself.
    static final Node CUT = new Node(Long.MIN_VALUE, null, null);

    private final Set<Cursor> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean signalled = new AtomicBoolean();
    private volatile Node tail = new Node(0, null, null);
    // The last node that was trimmed: feeds that stand on it have missed nothing.
    private Node anchor = tail;

    void append(Change change) {
        var last = tail;
        var node = new Node(change.revision(), change, last);
        last.next = node;
        tail = node;
    }

    /// Forgets the changes up to a revision.
    void trim(long revision) {
        var next = anchor.next;
        while (next != null && next.revision <= revision) {
            anchor.next = CUT;
            next.previous = null;
            anchor = next;
            next = anchor.next;
        }
    }

    /// The node after which a feed begins, or null when it is forgotten. Most begin near the end.
    @Nullable
    Node startAfter(long revision) {
        var node = tail;
        while (node.revision > revision) {
            var previous = node.previous;
            if (previous == null) {
                return null;
            }
            node = previous;
        }
        return node;
    }

    Set<Cursor> waiting() {
        return waiting;
    }

    AtomicBoolean signalled() {
        return signalled;
    }
}
