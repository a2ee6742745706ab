package dev.towtank.controllers.pipelinesascode.events;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;

/// Files that a change touches.
public record ChangedFiles(List<String> added, List<String> modified, List<String> deleted, List<String> renamed) {

    public static final ChangedFiles NONE = new ChangedFiles(List.of(), List.of(), List.of(), List.of());

    public ChangedFiles {
        added = List.copyOf(added);
        modified = List.copyOf(modified);
        deleted = List.copyOf(deleted);
        renamed = List.copyOf(renamed);
    }

    public List<String> all() {
        var all = new ArrayList<>(added);
        all.addAll(modified);
        all.addAll(deleted);
        all.addAll(renamed);
        return all.stream().distinct().toList();
    }

    public Json.Obj json() {
        return Json.Obj.builder()
                .put("all", Json.Arr.ofStrings(all()))
                .put("added", Json.Arr.ofStrings(added))
                .put("deleted", Json.Arr.ofStrings(deleted))
                .put("modified", Json.Arr.ofStrings(modified))
                .put("renamed", Json.Arr.ofStrings(renamed))
                .build();
    }

    /// Of the words that forges use.
    public static final class Builder {
        private final List<String> added = new ArrayList<>();
        private final List<String> modified = new ArrayList<>();
        private final List<String> deleted = new ArrayList<>();
        private final List<String> renamed = new ArrayList<>();

        public void add(String status, String file) {
            (switch (status) {
                        case "added" -> added;
                        case "removed", "deleted" -> deleted;
                        case "renamed" -> renamed;
                        default -> modified;
                    })
                    .add(file);
        }

        public ChangedFiles build() {
            return new ChangedFiles(added, modified, deleted, renamed);
        }
    }
}
