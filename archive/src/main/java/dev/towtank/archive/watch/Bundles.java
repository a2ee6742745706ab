package dev.towtank.archive.watch;

import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.Bundle;
import dev.towtank.archive.store.Digests;
import dev.towtank.archive.store.Ids;
import dev.towtank.archive.store.ResultRow;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What is written for a run, its children, events and logs.
final class Bundles {

    private final WatchSettings settings;
    private final Logs logs;

    Bundles(WatchSettings settings, Logs logs) {
        this.settings = settings;
        this.logs = logs;
    }

    Bundle of(Archiving deed) {
        var run = deed.run();
        var result = Marks.result(run);
        var resultId = Ids.ofResult(run.namespace(), result);
        var members = Stream.concat(Stream.of(run), deed.children().stream()).toList();
        var items = new ArrayList<Bundle.Item>();
        for (var member : members) {
            items.add(item(member, result, deed.whole()));
            if (deed.whole() && settings.events()) {
                items.add(events(member, resultId, deed));
            }
        }
        return new Bundle(
                run.namespace(),
                result,
                annotations(run),
                Marks.isTopLevel(run) ? Optional.of(summary(run, result)) : Optional.empty(),
                items,
                deed.whole() ? logs.of(deed, resultId) : List.of());
    }

    private Bundle.Item item(Resource run, String result, boolean whole) {
        var marks = new TreeMap<>(run.annotations());
        if (whole) {
            marks.putAll(Marks.annotations(run, result, settings.events()));
        }
        var json = run.json().with(List.of("metadata", "annotations"), Json.Obj.ofStrings(marks));
        return new Bundle.Item(Marks.record(run), type(run), json, Marks.digest(run, whole));
    }

    static String type(Resource run) {
        return run.apiVersion() + "." + run.kind();
    }

    private static Bundle.Item events(Resource run, String resultId, Archiving deed) {
        var pods = Logs.podNames(run);
        var about = deed.events().stream()
                .filter(event -> isAbout(event, run, pods))
                .map(Bundles::shortened)
                .toList();
        var list = Json.Obj.builder()
                .put("metadata", Json.Obj.EMPTY)
                .put("items", new Json.Arr(List.copyOf(about)))
                .build();
        return new Bundle.Item(Marks.events(run, resultId), Archive.EVENTS_TYPE, list, Digests.of(list));
    }

    private static boolean isAbout(Resource event, Resource run, List<String> pods) {
        var involved = event.json().object("involvedObject");
        return involved.string("uid").equals(run.uid())
                || (involved.string("kind").equals("Pod") && pods.contains(involved.string("name")));
    }

    private static Json shortened(Resource event) {
        var metadata = Json.Obj.builder();
        for (var field : List.of("name", "namespace", "creationTimestamp")) {
            metadata.putNonEmpty(field, event.metadata().string(field));
        }
        return event.json().with("metadata", metadata.build());
    }

    private Json.Obj annotations(Resource run) {
        var all = Json.Obj.builder();
        said(run, Marks.RESULT_ANNOTATIONS).forEach(all::put);
        if (Marks.isTopLevel(run)) {
            for (var label : settings.summaryLabels()) {
                all.putNonEmpty(label, run.labels().getOrDefault(label, ""));
            }
            all.put("object.metadata.name", run.name());
        }
        return all.build();
    }

    private static ResultRow.Summary summary(Resource run, String result) {
        return new ResultRow.Summary(
                run.namespace() + "/results/" + result + "/records/" + Marks.record(run),
                type(run),
                RunStatus.started(run).map(Archive::micros),
                RunStatus.completed(run).map(Archive::micros),
                RunStatus.code(run),
                Json.Obj.ofStrings(said(run, Marks.SUMMARY_ANNOTATIONS)));
    }

    /// What somebody wrote into an annotation as a JSON object. A mistake there is no reason not to archive the run.
    private static Map<String, String> said(Resource run, String annotation) {
        var text = run.annotations().getOrDefault(annotation, "");
        if (text.isEmpty()) {
            return Map.of();
        }
        try {
            var all = new TreeMap<String, String>();
            JsonText.parseObject(text)
                    .forEach((key, value) ->
                            all.put(key, value instanceof Json.Str(var said) ? said : JsonText.write(value)));
            return all;
        } catch (JsonText.Malformed e) {
            return Map.of();
        }
    }
}
