package dev.towtank.controllers.pipelines.notifications;

import dev.towtank.cluster.Observer;
import dev.towtank.cluster.Place;
import dev.towtank.controllers.pipelines.runs.SettingsCache;
import dev.towtank.controllers.pipelines.source.EventSink;
import java.util.ArrayList;
import java.util.List;

/// All that tells the outside how runs go.
public final class Notifications {

    private Notifications() {}

    public static List<Observer> observers(Place place) {
        var all = new ArrayList<>(new RunMetrics(place.meters()).observers());
        var sink = EventSink.over(place.timers());
        all.addAll(new CloudEvents(new SettingsCache(place.caches()), sink, place.events()).observers());
        return all;
    }
}
