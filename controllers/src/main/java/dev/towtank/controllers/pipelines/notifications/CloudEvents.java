package dev.towtank.controllers.pipelines.notifications;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observer;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.RunStatus;
import dev.towtank.controllers.pipelines.runs.SettingsCache;
import dev.towtank.controllers.pipelines.source.EventSink;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Tells a sink how runs go, beside their controllers and never in their way.
final class CloudEvents {

    private static final int MOST_REMEMBERED = 10_000;

    private final SettingsCache settings;
    private final EventSink sink;
    private final Consumer<Change.Event> events;

    // Which types were sent, by uid, the oldest first; guarded by its monitor.
    private final Map<String, Set<String>> sent = BoundedMap.byAge(MOST_REMEMBERED);

    CloudEvents(SettingsCache settings, EventSink sink, Consumer<Change.Event> events) {
        this.settings = settings;
        this.sink = sink;
        this.events = events;
    }

    List<Observer> observers() {
        return Stream.of(PipelineKinds.TASK_RUN, PipelineKinds.PIPELINE_RUN, PipelineKinds.CUSTOM_RUN)
                .map(kind -> new Observer(kind, this::changed, sink::close))
                .toList();
    }

    private void changed(@Nullable Resource before, @Nullable Resource now) {
        if (now == null) {
            if (before != null) {
                forget(before.uid());
            }
            return;
        }
        var current = settings.of(now.cluster());
        var address = address(current);
        if (address.isEmpty() || isOff(current, now) || !isNews(before, now)) {
            return;
        }
        var event = CloudEvent.of(now);
        if (event.isRepeated() || isFirst(now.uid(), event.type())) {
            var message =
                    new EventSink.Message(event.type(), event.source(), event.subject(), JsonText.write(event.data()));
            sink.send(
                    address,
                    message,
                    problem -> events.accept(
                            problem.isEmpty()
                                    ? Change.Event.normal(now, "CloudEventSent", "Sent " + event.type())
                                    : Change.Event.warning(now, "CloudEventFailed", problem)));
        }
    }

    private static String address(Settings settings) {
        return settings.events().sink().isEmpty()
                ? settings.defaults().cloudEventsSink()
                : settings.events().sink();
    }

    private static boolean isOff(Settings settings, Resource run) {
        return run.kind().equals("CustomRun") && !settings.flags().sendCloudEventsForRuns();
    }

    /// What was there when the server started was told before.
    private static boolean isNews(@Nullable Resource before, Resource now) {
        var outcome = RunStatus.of(now).outcome();
        return before == null
                ? outcome.isEmpty()
                : !RunStatus.of(before).outcome().equals(outcome);
    }

    private boolean isFirst(String uid, String type) {
        synchronized (sent) {
            return sent.computeIfAbsent(uid, _ -> new HashSet<>()).add(type);
        }
    }

    private void forget(String uid) {
        synchronized (sent) {
            sent.remove(uid);
        }
    }
}
