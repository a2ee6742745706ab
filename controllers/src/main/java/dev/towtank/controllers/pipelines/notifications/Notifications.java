package dev.towtank.controllers.pipelines.notifications;

import dev.towtank.cluster.Observer;
import dev.towtank.cluster.Place;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.SettingsCache;
import dev.towtank.controllers.pipelines.source.EventSink;
import java.util.ArrayList;
import java.util.List;

/// All that tells the outside how runs go.
public final class Notifications {

    private Notifications() {}

    public static List<Observer> observers(Place place) {
        var all = new ArrayList<>(new RunMetrics(place.meters()).observers());
        var runs = place.caches().of(PipelineKinds.PIPELINE_RUN);
        var taskRuns = place.caches().of(PipelineKinds.TASK_RUN);
        all.addAll(new ServiceMetrics(place.meters(), runs, taskRuns).observers());
        var sink = EventSink.over(place.timers());
        all.addAll(new CloudEvents(new SettingsCache(place.caches()), sink, place.events()).observers());
        return all;
    }
}
