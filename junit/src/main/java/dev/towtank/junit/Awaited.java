package dev.towtank.junit;

import dev.towtank.app.client.ObjectClient;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/// An object that is to become something, and how long that may take: half a minute, unless a test or the configuration
/// parameter `towtank.patience` of JUnit says otherwise.
///
/// Each of the questions waits, returns the object as soon as it is so, and throws an [AssertionError] with how it was
/// last
/// when it never is.
public final class Awaited {
    private final ObjectClient objects;
    private final String kind;
    private final String name;
    private final Duration patience;

    Awaited(ObjectClient objects, String kind, String name, Duration patience) {
        this.objects = objects;
        this.kind = kind;
        this.name = name;
        this.patience = patience;
    }

    public Awaited within(Duration longest) {
        return new Awaited(objects, kind, name, longest);
    }

    /// One of the conditions in its status is `True`.
    public Resource hasCondition(String type) {
        return hasCondition(type, "True");
    }

    public Resource hasCondition(String type, String status) {
        return is("has no condition " + type + "=" + status, object -> has(object, type, status));
    }

    public Resource is(Predicate<Resource> enough) {
        return is("never was as it should be", enough);
    }

    /// It was deleted, or never was.
    public void isGone() {
        if (ends("is still there", _ -> false).isPresent()) {
            throw new IllegalStateException("a wait for nothing ended with something");
        }
    }

    private Resource is(String otherwise, Predicate<Resource> enough) {
        return ends(otherwise, enough).orElseThrow(() -> new AssertionError("there is no " + what()));
    }

    /// @return nothing when the object is not there, or no longer
    private Optional<Resource> ends(String otherwise, Predicate<Resource> enough) {
        var waiting = new FutureTask<>(() -> objects.await(kind, name, enough));
        var thread = Thread.startVirtualThread(waiting);
        try {
            return waiting.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            var last = objects.find(kind, name).map(Resource::json);
            throw new AssertionError(
                    what() + " " + otherwise + ", after " + patience.toMillis() / 1000.0 + " s. It is " + last, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException problem) {
                throw problem;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        } finally {
            thread.interrupt();
        }
    }

    private String what() {
        return kind + " \"" + name + "\"";
    }

    private static boolean has(Resource object, String type, String status) {
        return object.json().objects("status", "conditions").stream()
                .anyMatch(condition -> condition.string("type").equals(type)
                        && condition.string("status").equals(status));
    }
}
