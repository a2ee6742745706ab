package dev.towtank.app.run.view;

import dev.towtank.app.run.images.ImageTable;
import dev.towtank.app.run.view.RunState.Run;
import dev.towtank.app.run.view.RunState.Task;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.ObjectBuilder;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/// One object of JSON per line for each thing that happens; docs/run.md has the fields.
public final class JsonOutput implements Output {

    private final PrintStream out;
    private final InstantSource clock;
    private Optional<RunState> shown = Optional.empty();

    public JsonOutput(PrintStream out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
    }

    private ObjectBuilder event(String name) {
        return Json.Obj.builder().put("event", name).put("time", clock.instant().toString());
    }

    private void write(ObjectBuilder event) {
        out.println(JsonText.write(event.build()));
        out.flush();
    }

    @Override
    public void notice(String text) {
        write(event("notice").put("text", text));
    }

    @Override
    public void images(ImageTable table) {
        for (var image : table.events()) {
            var event = event("image");
            image.forEach(event::put);
            write(event);
        }
    }

    @Override
    public void log(LogLine line) {
        write(event("log")
                .put("task", line.task())
                .put("taskRun", line.run())
                .put("step", line.step())
                .put("text", line.text()));
    }

    @Override
    public void state(RunState state, Instant now) {
        Event.between(shown.orElseGet(() -> PlainOutput.empty(state)), state).forEach(this::write);
        shown = Optional.of(state);
    }

    private void write(Event event) {
        switch (event) {
            case Event.RunStarted(var run) ->
                write(event("run-started")
                        .put("run", run.name())
                        .put("namespace", run.namespace())
                        .put("kind", run.kind())
                        .put(
                                "tasks",
                                Json.Arr.ofStrings(
                                        run.tasks().stream().map(Task::name).toList())));
            case Event.TaskSkipped(var task) ->
                write(event("task")
                        .put("task", task.name())
                        .put("state", task.phase().word())
                        .putNonEmpty("reason", task.reason()));
            case Event.TaskRetried(var task, var run, var retry) ->
                write(ofRun("task", task, run).put("state", "retrying").put("retry", retry));
            case Event.TaskChanged(var task, var run) ->
                write(ofRun("task", task, run)
                        .put("state", run.phase().word())
                        .putNonEmpty("reusedFrom", run.reusedFrom())
                        .putNonEmpty("reason", run.phase().isOver() ? run.reason() : "")
                        .putNonEmpty("message", run.phase().isBad() ? run.message() : ""));
            case Event.StepChanged(var task, var run, var step) -> {
                var json = ofRun("step", task, run)
                        .put("step", step.name())
                        .put("state", step.phase().word());
                if (step.isOnStandIn()) {
                    json.put("standIn", true);
                }
                step.exitCode().ifPresent(code -> json.put("exitCode", code));
                write(json);
            }
        }
    }

    private ObjectBuilder ofRun(String event, Task task, Run run) {
        return event(event)
                .put("task", task.name())
                .putNonEmpty("combination", run.label())
                .put("taskRun", run.name());
    }

    @Override
    public void end(RunState state, Finish finish, Instant now) {
        var took =
                Duration.between(state.started().orElse(now), state.finished().orElse(now));
        var json = event("run-finished")
                .put("run", state.name())
                .put("state", state.phase().word())
                .put("exitCode", finish.exitCode())
                .putNonEmpty("reason", state.reason())
                .putNonEmpty("message", state.message())
                .put("milliseconds", took.toMillis())
                .putNonEmpty("results", state.results());
        finish.directory().ifPresent(directory -> json.put("directory", directory.toString()));
        write(json);
    }

    @Override
    public void close() {
        out.flush();
    }
}
