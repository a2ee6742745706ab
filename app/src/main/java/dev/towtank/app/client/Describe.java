package dev.towtank.app.client;

import dev.towtank.app.run.history.RunHistory;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/// Tells about objects what a person wants to know first, with what happened to them.
public final class Describe {
    private static final int SECOND = "2026-01-01T00:00:00".length();

    private final ApiClient client;
    private final RunHistory history;
    private final InstantSource clock;
    private final PrintStream out;
    private final PrintStream err;

    /// @param history has seen runs more exactly than a server tells
    public Describe(ApiClient client, RunHistory history, InstantSource clock, PrintStream out, PrintStream err) {
        this.client = client;
        this.history = history;
        this.clock = clock;
        this.out = out;
        this.err = err;
    }

    /// @param words as after `get`
    /// @param namespace empty for all
    /// @param labels a selector, or empty
    /// @return whether all that was asked for is there
    public boolean show(List<String> words, String namespace, String labels) throws IOException {
        var wanted = Wanted.parse(words, Discovery.of(client));
        var problems = new ArrayList<StatusError>();
        boolean first = true;
        for (var part : wanted.parts()) {
            for (var object : objects(part, namespace, labels, problems)) {
                out.print((first ? "" : "\n\n") + page(part.type(), typed(part.type(), object)));
                first = false;
            }
        }
        out.flush();
        problems.forEach(problem -> err.println("towtank: " + GetView.words(problem)));
        if (first && problems.isEmpty()) {
            err.println("No objects found.");
        }
        return problems.isEmpty();
    }

    private List<Json.Obj> objects(Wanted.Part part, String namespace, String labels, List<StatusError> problems) {
        if (part.names().isEmpty()) {
            var query = labels.isEmpty() ? "" : "?labelSelector=" + ResourceType.segment(labels);
            return client.get(part.type().path(namespace) + query).objects("items");
        }
        var found = new ArrayList<Json.Obj>();
        for (var name : part.names()) {
            try {
                found.add(client.get(part.type().path(namespace, name)));
            } catch (StatusError e) {
                problems.add(e);
            }
        }
        return found;
    }

    private static Json.Obj typed(ResourceType type, Json.Obj object) {
        return object.with("apiVersion", Json.of(type.apiVersion())).with("kind", Json.of(type.kind()));
    }

    private String page(ResourceType type, Json.Obj object) throws IOException {
        var page = new Page(clock.instant());
        var namespace = object.string("metadata", "namespace");
        switch (type.plural() + "." + type.group()) {
            case "pods." -> PodPage.write(page, object);
            case "taskruns.tekton.dev" ->
                TaskRunPage.write(page, exactly(object).apply(object));
            case "pipelineruns.tekton.dev" -> {
                var exactly = exactly(object);
                var taskRuns = new RunLookup(client, namespace).taskRuns(object);
                PipelineRunPage.write(
                        page,
                        exactly.apply(object),
                        taskRuns.stream().map(exactly).toList());
            }
            case "secrets." -> OtherPage.writeSecret(page, object);
            default -> OtherPage.write(page, object);
        }
        return page.events(events(object)).toString();
    }

    /// With the times at which the parts of a run were seen to begin and to end, where somebody saw it.
    private UnaryOperator<Json.Obj> exactly(Json.Obj run) throws IOException {
        return history.recordOf(run)
                .<UnaryOperator<Json.Obj>>map(seen -> seen::timed)
                .orElse(UnaryOperator.identity());
    }

    private List<Json.Obj> events(Json.Obj object) {
        var about = "involvedObject.uid=" + object.string("metadata", "uid");
        var path = ResourceType.EVENTS.path(object.string("metadata", "namespace")) + "?fieldSelector="
                + ResourceType.segment(about);
        return client.get(path).objects("items").stream()
                .sorted(Comparator.comparing(Describe::second).thenComparingLong(Describe::version))
                .toList();
    }

    /// Most say no more than the second.
    private static String second(Json.Obj event) {
        var moment = Page.when(event);
        return moment.substring(0, Math.min(SECOND, moment.length()));
    }

    /// Those of one second come in the order in which they were written.
    private static long version(Json.Obj event) {
        var version = event.string("metadata", "resourceVersion");
        return version.matches("\\d{1,18}") ? Long.parseLong(version) : 0;
    }
}
