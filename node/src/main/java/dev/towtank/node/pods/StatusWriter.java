package dev.towtank.node.pods;

import dev.towtank.cluster.Backoff;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Pods;
import java.lang.System.Logger.Level;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes the status of one pod, beside its work: one write at a time, always of the newest facts. What changes while
/// a write is under way goes into the next one.
final class StatusWriter {

    private static final System.Logger LOG = System.getLogger(StatusWriter.class.getName());

    private static final int GATHERING_MILLIS = 20;

    private final NodeParts parts;
    private final PodMemory memory;
    private final Semaphore over = new Semaphore(0);

    // Guarded by this object's monitor.
    private boolean writing;
    private boolean again;

    // Only the writing thread uses these.
    private Json.@Nullable Obj written;
    private Json.@Nullable Obj stored;
    private int failures;

    StatusWriter(NodeParts parts, PodMemory memory) {
        this.parts = parts;
        this.memory = memory;
    }

    /// There may be something new to tell.
    void publish() {
        if (begin()) {
            Thread.ofVirtual().name("status").start(this::writeAll);
        }
    }

    /// The same, for the last time: there is no work left beside which it could be written.
    void publishLast() {
        if (begin()) {
            writeAll();
        }
    }

    /// Whether the caller is to see to the writing.
    private synchronized boolean begin() {
        again = true;
        if (writing) {
            if (memory.isOver()) {
                over.release();
            }
            return false;
        }
        if (isTold()) {
            again = false;
            return false;
        }
        writing = true;
        return true;
    }

    // Most looks at a pod find nothing new: no thread for those.
    private boolean isTold() {
        var pod = memory.pod();
        var status = status(pod);
        return status.equals(pod.status())
                || (status.equals(written) && pod.status().equals(stored));
    }

    /// Waits until everything known now is written, or the pod is gone.
    synchronized void await() throws InterruptedException {
        while (writing) {
            wait();
        }
    }

    private void writeAll() {
        try {
            while (take()) {
                gather();
                write();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            finish();
        }
    }

    /// A pod that is meant to end may do so at once. Then that is all there is to tell of it, as by a kubelet, which
    /// looks at its containers now and then.
    private void gather() throws InterruptedException {
        var pod = memory.pod();
        if (pod.status().string("phase").equals("Pending")
                && Containers.mayEndAlone(pod)
                && memory.facts().anyRunning()) {
            boolean _ = over.tryAcquire(GATHERING_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized boolean take() {
        boolean wanted = again;
        again = false;
        if (!wanted) {
            writing = false;
            notifyAll();
        }
        return wanted;
    }

    private synchronized void finish() {
        writing = false;
        notifyAll();
    }

    private void write() throws InterruptedException {
        if (memory.isGone()) {
            return;
        }
        parts.writes().acquire();
        try {
            var pod = memory.pod();
            var status = status(pod);
            if (!isTold()) {
                var changed = pod.with(pod.json().with("status", status));
                var answer = parts.cluster().update(Pods.KIND, changed, Cluster.WriteOptions.STATUS);
                written = status;
                stored = answer.status();
                memory.seen(answer);
            }
            failures = 0;
        } catch (StatusError e) {
            refused(e);
        } catch (RuntimeException e) {
            retry(e);
        } finally {
            parts.writes().release();
        }
    }

    private Json.Obj status(Resource pod) {
        return PodStatus.of(
                pod,
                memory.facts(),
                PodStatus.Place.of(parts, pod.uid()),
                parts.timers().instant());
    }

    private void refused(StatusError problem) throws InterruptedException {
        if (problem.is(StatusError.Reason.NOT_FOUND)) {
            memory.gone();
        } else if (problem.is(StatusError.Reason.CONFLICT)) {
            var pod = memory.pod();
            var newest = parts.cluster()
                    .get(Pods.KIND, ObjectName.of(pod))
                    .filter(found -> found.uid().equals(pod.uid()));
            newest.ifPresentOrElse(memory::seen, memory::gone);
            publishAgain();
        } else {
            retry(problem);
        }
    }

    private void retry(RuntimeException problem) throws InterruptedException {
        failures++;
        if (failures == 1) {
            LOG.log(Level.WARNING, "cannot write the status of " + memory.pod().describe() + ", trying again", problem);
        }
        parts.timers().pause(Backoff.OF_SERVERS.after(failures));
        publishAgain();
    }

    private synchronized void publishAgain() {
        again = true;
    }
}
