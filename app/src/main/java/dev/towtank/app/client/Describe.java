package dev.towtank.app.client;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Tells about objects what a person wants to know first, with what happened to them.
public final class Describe {
    private final ApiClient client;
    private final InstantSource clock;
    private final PrintStream out;
    private final PrintStream err;

    public Describe(ApiClient client, InstantSource clock, PrintStream out, PrintStream err) {
        this.client = client;
        this.clock = clock;
        this.out = out;
        this.err = err;
    }

    /// @param words as after `get`
    /// @param namespace empty for all
    /// @param labels a selector, or empty
    /// @return whether all that was asked for is there
    public boolean show(List<String> words, String namespace, String labels) {
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

    private String page(ResourceType type, Json.Obj object) {
        var page = new Page(clock.instant());
        var namespace = object.string("metadata", "namespace");
        switch (type.plural() + "." + type.group()) {
            case "pods." -> PodPage.write(page, object);
            case "taskruns.tekton.dev" -> TaskRunPage.write(page, object);
            case "pipelineruns.tekton.dev" ->
                PipelineRunPage.write(page, object, new RunLookup(client, namespace).taskRuns(object));
            case "secrets." -> OtherPage.writeSecret(page, object);
            default -> OtherPage.write(page, object);
        }
        return page.events(events(object)).toString();
    }

    private List<Json.Obj> events(Json.Obj object) {
        var about = "involvedObject.uid=" + object.string("metadata", "uid");
        var path = ResourceType.EVENTS.path(object.string("metadata", "namespace")) + "?fieldSelector="
                + ResourceType.segment(about);
        return client.get(path).objects("items").stream()
                .sorted(Comparator.comparing(Page::when))
                .toList();
    }
}
