package dev.towtank.app.run;

import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.Document;
import dev.towtank.app.run.input.KnownKinds;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Files that come in the place of what an earlier run was made of. Pure.
///
/// @param run the name of that run
/// @param namespace where it was, and where objects belong that name none
/// @param earlier what it was made of, and the run itself
record GivenFiles(String run, String namespace, List<Document> earlier) {

    /// What does nothing unless somebody names it. Others, as a Service, may matter to a step in ways that nobody sees.
    private static final Set<String> USED_BY_NAME =
            Set.of("Task", "Pipeline", "StepAction", "ConfigMap", "Secret", "ServiceAccount", "PersistentVolumeClaim");

    /// All that the next run is made of: what is given now wins.
    ///
    /// @throws BadInput a file has nothing in it that the run uses
    List<Document> merged(List<Document> given, KnownKinds kinds) {
        var placed = given.stream()
                .map(document -> kinds.placed(document, namespace))
                .toList();
        var all = new LinkedHashMap<String, Document>();
        for (var list : List.of(earlier, placed)) {
            list.forEach(document -> all.put(key(document), document));
        }
        check(placed, List.copyOf(all.values()));
        return List.copyOf(all.values());
    }

    private static String key(Document document) {
        return document.isRun() ? document.kind() : document.kind() + " " + namespace(document) + " " + document.name();
    }

    private static String namespace(Document document) {
        return document.json().string("metadata", "namespace");
    }

    private void check(List<Document> given, List<Document> all) {
        var replaceable = earlier.stream().map(GivenFiles::key).collect(Collectors.toSet());
        var used = new LinkedHashSet<Document>();
        all.stream().filter(document -> replaceable.contains(key(document))).forEach(used::add);
        boolean grew = true;
        while (grew) {
            // What names one thing may come with the same files.
            grew = given.stream()
                    .filter(document -> !used.contains(document) && isUsed(document, List.copyOf(used)))
                    .map(used::add)
                    .reduce(false, Boolean::logicalOr);
        }
        var problems = new ArrayList<String>();
        given.stream()
                .collect(Collectors.groupingBy(Document::file, LinkedHashMap::new, Collectors.toList()))
                .forEach((file, documents) -> {
                    if (documents.stream().noneMatch(used::contains)) {
                        problems.add(problem(file, documents.getFirst()));
                    }
                });
        if (!problems.isEmpty()) {
            throw new BadInput(problems);
        }
    }

    private boolean isUsed(Document document, List<Document> others) {
        if (document.isRun()) {
            return false;
        }
        var place = namespace(document);
        if (!USED_BY_NAME.contains(document.kind()) || place.equals(Settings.NAMESPACE)) {
            return true;
        }
        return isNamed(document.name(), others) && (place.equals(namespace) || isNamed(place, others));
    }

    /// Whether it is a word of any text: scripts name things as well.
    private static boolean isNamed(String name, List<Document> documents) {
        var word = Pattern.compile("(?<![a-z0-9.-])" + Pattern.quote(name) + "(?![a-z0-9-])");
        return documents.stream().anyMatch(document -> isIn(document.json().without("metadata"), word));
    }

    private static boolean isIn(Json json, Pattern word) {
        return switch (json) {
            case Json.Str(var text) -> word.matcher(text).find();
            case Json.Arr(var items) -> items.stream().anyMatch(item -> isIn(item, word));
            case Json.Obj object ->
                object.keys().stream().anyMatch(key -> isIn(Objects.requireNonNull(object.get(key)), word));
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> false;
        };
    }

    private String problem(String file, Document first) {
        var made = earlier.stream()
                .filter(document -> document.kind().equals(first.kind()))
                .map(document -> document.name() + " in namespace " + namespace(document))
                .toList();
        return file + ":" + first.line() + ": " + run + " uses nothing of this file: it was made of no "
                + first.kind() + " " + first.name() + " in namespace " + namespace(first)
                + ", and nothing of it names one. Leave the file out"
                + (made.isEmpty()
                        ? "."
                        : ", or take the name and namespace of what it is to replace: " + String.join(", ", made)
                                + ".");
    }
}
