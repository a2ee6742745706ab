package dev.towtank.system;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// What a field of an object has been, from the moment on when it is recorded.
final class Recording implements AutoCloseable {

    private final Process watch;
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final List<String> lines = new ArrayList<>();

    private Recording(Process watch) {
        this.watch = watch;
        Thread.ofVirtual().start(() -> watch.inputReader().lines().forEach(told::add));
    }

    /// The object must be there: what it is now is the first that is recorded.
    static Recording of(Kubectl kubectl, String kind, String name, String path) {
        var recording = new Recording(kubectl.start(
                "get",
                kind,
                "--field-selector=metadata.name=" + name,
                "--watch",
                "-o",
                "jsonpath=" + path + "{'\\n'}"));
        recording.next();
        return recording;
    }

    private String next() {
        try {
            var line = told.poll(120, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("nothing more came after " + lines);
            }
            lines.add(line);
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// All, until a text is in one of them.
    List<String> until(String text) {
        while (!next().contains(text)) {
            // what comes in between is recorded
        }
        return lines;
    }

    @Override
    public void close() {
        watch.destroy();
    }
}
