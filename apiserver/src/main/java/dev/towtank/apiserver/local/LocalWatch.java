package dev.towtank.apiserver.local;

import dev.towtank.apiserver.WatchStream;
import dev.towtank.cluster.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A watch inside the process: it ends only when it is closed or falls too far behind.
final class LocalWatch implements Watch {

    private static final int BATCH = 1_000;

    private final WatchStream stream;

    LocalWatch(WatchStream stream) {
        this.stream = stream;
    }

    @Override
    public List<Event> next(Duration longest) throws InterruptedException {
        var events = new ArrayList<Event>();
        for (var event : stream.await(BATCH, longest)) {
            var object = LocalCluster.resource(event.object());
            events.add(
                    switch (event.type()) {
                        case ADDED -> new Added(object);
                        case MODIFIED -> new Modified(object);
                        case DELETED -> new Deleted(object);
                        case BOOKMARK -> new Bookmark(object.resourceVersion());
                    });
        }
        return events;
    }

    @Override
    public void close() {
        stream.close();
    }
}
