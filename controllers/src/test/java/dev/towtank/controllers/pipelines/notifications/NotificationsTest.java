package dev.towtank.controllers.pipelines.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.Observer;
import dev.towtank.controllers.pipelines.runs.SettingsCache;
import dev.towtank.controllers.pipelines.source.EventSink;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotificationsTest {

    private final IndexedCache maps = new IndexedCache();
    private final List<EventSink.Message> messages = new ArrayList<>();
    private final List<Change.Event> events = new ArrayList<>();
    private String problem = "";

    private final EventSink sink = new EventSink() {
        @Override
        public void send(String address, Message message, Consumer<String> told) {
            assertThat(address).isEqualTo("http://sink.example.com");
            messages.add(message);
            told.accept(problem);
        }

        @Override
        public void close() {}
    };

    private static Resource run(String kind, String conditions) {
        return Resource.of((Json.Obj)
                YamlText.parse("""
                apiVersion: tekton.dev/%s
                kind: %s
                metadata: {name: a, namespace: ns, uid: u1}
                spec: {serviceAccountName: s}
                status: {conditions: [%s], startTime: "2026-01-01T00:00:00Z", completionTime: "2026-01-01T00:00:20Z"}
                """.formatted(kind.equals("CustomRun") ? "v1beta1" : "v1", kind, conditions)));
    }

    private static Resource run(String kind, String status, String reason) {
        return run(kind, "{type: Succeeded, status: \"%s\", reason: %s, message: m}".formatted(status, reason));
    }

    private void configure(String name, String data) {
        maps.put(Resource.of((Json.Obj) YamlText.parse("""
                metadata: {name: %s, namespace: tekton-pipelines}
                data: {%s}
                """.formatted(name, data))));
    }

    private static void change(
            List<Observer> observers, String kind, @Nullable Resource before, @Nullable Resource now) {
        observers.stream()
                .filter(each -> each.kind().kind().equals(kind))
                .forEach(each -> each.handler().changed(before, now));
    }

    private List<Observer> cloudEvents() {
        return new CloudEvents(new SettingsCache(maps), sink, events::add).observers();
    }

    @ParameterizedTest
    @CsvSource({
        "TaskRun,     Unknown, Started,          taskrun.started",
        "TaskRun,     Unknown, Running,          taskrun.running",
        "TaskRun,     Unknown, ToBeRetried,      taskrun.unknown",
        "TaskRun,     True,    Succeeded,        taskrun.successful",
        "TaskRun,     False,   StepFailed,       taskrun.failed",
        "PipelineRun, Unknown, Started,          pipelinerun.started",
        "PipelineRun, Unknown, PipelineRunStopping, pipelinerun.unknown",
        "PipelineRun, True,    Completed,        pipelinerun.successful",
        "CustomRun,   Unknown, Anything,         customrun.running",
        "CustomRun,   False,   Failed,           customrun.failed",
    })
    void hasATypeForEveryStateOfARun(String kind, String status, String reason, String type) {
        assertThat(CloudEvent.of(run(kind, status, reason)).type()).isEqualTo("dev.tekton.event." + type + ".v1");
    }

    @Test
    void hasATypeForRunsThatNobodyLookedAt() {
        assertThat(CloudEvent.of(run("TaskRun", "")).type()).isEqualTo("dev.tekton.event.taskrun.queued.v1");
        assertThat(CloudEvent.of(run("CustomRun", "")).type()).isEqualTo("dev.tekton.event.customrun.started.v1");
    }

    @Test
    void tellsASinkOnceAboutEachState() {
        configure("config-events", "sink: http://sink.example.com");
        var observers = cloudEvents();
        var fresh = run("TaskRun", "");
        var running = run("TaskRun", "Unknown", "Running");
        var retried = run("TaskRun", "Unknown", "ToBeRetried");
        var done = run("TaskRun", "True", "Succeeded");

        change(observers, "TaskRun", null, fresh);
        change(observers, "TaskRun", fresh, running);
        change(observers, "TaskRun", running, running);
        change(observers, "TaskRun", running, retried);
        change(observers, "TaskRun", retried, running);
        change(observers, "TaskRun", running, done);

        assertThat(messages)
                .extracting(message -> message.type().replaceAll("dev.tekton.event.taskrun.|.v1", ""))
                .containsExactly("queued", "running", "unknown", "successful");
        assertThat(messages.getLast().source()).isEqualTo("/apis/tekton.dev/v1/namespaces/ns/TaskRun/a");
        assertThat(messages.getLast().subject()).isEqualTo("a");
        var data = JsonText.parseObject(messages.getLast().data()).object("taskRun");
        assertThat(data.string("apiVersion")).isEqualTo("tekton.dev/v1beta1");
        assertThat(events).extracting(Change.Event::message).contains("Sent dev.tekton.event.taskrun.successful.v1");
    }

    @Test
    void tellsPeopleWhenTheSinkDoesNotListen() {
        configure("config-defaults", "default-cloud-events-sink: http://sink.example.com");
        problem = "cannot reach sink.example.com: no such host";

        change(cloudEvents(), "PipelineRun", run("PipelineRun", ""), run("PipelineRun", "True", "Succeeded"));

        assertThat(events).hasSize(1);
        assertThat(events.getFirst().reason()).isEqualTo("CloudEventFailed");
        assertThat(events.getFirst().message()).isEqualTo(problem);
    }

    @Test
    void tellsNobodyWhatWasThereBeforeNorWithoutASink() {
        change(cloudEvents(), "TaskRun", run("TaskRun", ""), run("TaskRun", "True", "Succeeded"));
        configure("config-events", "sink: http://sink.example.com");
        change(cloudEvents(), "TaskRun", null, run("TaskRun", "True", "Succeeded"));
        configure("feature-flags", "send-cloudevents-for-runs: \"false\"");
        change(cloudEvents(), "CustomRun", run("CustomRun", ""), run("CustomRun", "True", "Succeeded"));

        assertThat(messages).isEmpty();
    }

    /// Keeps what is counted, as `name[labels]`.
    private static final class Counted implements Meters {
        final Map<String, Double> values = new LinkedHashMap<>();
        final Map<String, LongSupplier> gauges = new LinkedHashMap<>();

        @Override
        public Count counter(String name, String help, String... labels) {
            return given -> values.merge(name + List.of(given), 1.0, Double::sum);
        }

        @Override
        public Distribution histogram(String name, String help, List<Double> bounds, String... labels) {
            return (value, given) -> values.put(name + List.of(given), value);
        }

        @Override
        public void gauge(String name, String help, LongSupplier value) {
            gauges.put(name.replace("tekton_pipelines_controller_", ""), value);
        }

        @Override
        public void gauges(String name, String help, Supplier<List<Sample>> samples, String... labels) {}

        long gauge(String name) {
            return gauges.get(name).getAsLong();
        }
    }

    @Test
    void countsRunsAndHowLongTheyTook() {
        var counted = new Counted();
        var observers = new RunMetrics(counted).observers();
        var running = run("TaskRun", "Unknown", "ResolvingTaskRef");
        var done = run("TaskRun", "False", "TaskRunCancelled");

        change(observers, "TaskRun", null, run("TaskRun", ""));
        change(observers, "TaskRun", run("TaskRun", ""), running);
        assertThat(counted.gauge("running_taskruns")).isEqualTo(1);
        assertThat(counted.gauge("running_taskruns_count")).isEqualTo(1);
        assertThat(counted.gauge("running_taskruns_waiting_on_task_resolution_count"))
                .isEqualTo(1);
        change(observers, "TaskRun", running, done);
        change(observers, "TaskRun", done, done);
        change(observers, "PipelineRun", null, run("PipelineRun", "True", "Succeeded"));

        assertThat(counted.gauge("running_taskruns")).isZero();
        assertThat(counted.values)
                .containsExactly(
                        Map.entry(
                                "tekton_pipelines_controller_taskrun_duration_seconds[ns, cancelled, anonymous]", 20.0),
                        Map.entry("tekton_pipelines_controller_taskrun_total[cancelled]", 1.0),
                        Map.entry("tekton_pipelines_controller_taskrun_count[cancelled]", 1.0));
    }

    @Test
    void forgetsRunsThatAreDeleted() {
        var counted = new Counted();
        var observers = new RunMetrics(counted).observers();

        change(observers, "PipelineRun", null, run("PipelineRun", "Unknown", "Running"));
        assertThat(counted.gauge("running_pipelineruns")).isEqualTo(1);
        change(observers, "PipelineRun", run("PipelineRun", "Unknown", "Running"), null);
        assertThat(counted.gauge("running_pipelineruns")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"00:00:10, 0.2", "00:00:01, 2.0", "00:00:00, 2.0"})
    void saysWhichPartOfARunWasThePlatforms(String end, double part) {
        var counted = new Counted();
        var observers = new ServiceMetrics(counted, new IndexedCache(), new IndexedCache()).observers();
        var running = timed("Unknown", end);

        change(observers, "PipelineRun", running, timed("True", end));

        assertThat(counted.values)
                .containsEntry("pipeline_service_schedule_overhead_percentage[ns, succeded]", part)
                .containsEntry("pipeline_service_execution_overhead_percentage[ns, succeded]", 0.0);
    }

    /// A run that waited two seconds.
    private static Resource timed(String status, String end) {
        return Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: a, namespace: ns, uid: u1, creationTimestamp: "2025-12-31T23:59:58Z"}
                status:
                  conditions: [{type: Succeeded, status: "%s", reason: r}]
                  startTime: "2026-01-01T00:00:00Z"
                  completionTime: "2026-01-01T%sZ"
                """.formatted(status, end)));
    }
}
