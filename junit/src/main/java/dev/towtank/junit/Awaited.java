package dev.towtank.junit;

import dev.towtank.app.client.ObjectClient;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/// An object that is to become something, and how long that may take: half a minute, unless a test or the configuration
/// parameter `towtank.patience` of JUnit says otherwise.
///
/// Each of the questions waits, for an object that is not there to come, too; returns the object as soon as it is so,
/// and throws an [AssertionError] with how it was last when it never is.
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
        var _ = patiently("is still there", () -> objects.await(kind, name, _ -> false));
    }

    private Resource is(String otherwise, Predicate<Resource> enough) {
        return patiently(otherwise, () -> objects.awaitThere(kind, name, enough));
    }

    private <T> T patiently(String otherwise, Callable<T> wait) {
        var waiting = new FutureTask<>(wait);
        var thread = Thread.startVirtualThread(waiting);
        try {
            return waiting.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            var after = ", after " + patience.toMillis() / 1000.0 + " s";
            throw new AssertionError(
                    objects.find(kind, name)
                            .map(last -> what() + " " + otherwise + after + ". It is " + last.json())
                            .orElse("there is no " + what() + after),
                    e);
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
