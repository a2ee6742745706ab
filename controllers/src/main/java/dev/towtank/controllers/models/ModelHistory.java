package dev.towtank.controllers.models;

import dev.towtank.cluster.Change;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What happened to a model, in `status.history`: the last of it, numbered, so that each is told once.
record ModelHistory(List<Json.Obj> entries) {

    private static final int KEPT = 20;

    /// What may happen.
    enum Deed {
        PROMOTED("Promoted", true),
        ROLLED_BACK("RolledBack", false),
        REJECTED("Rejected", false),
        ROLLOUT_FAILED("RolloutFailed", false);

        private final String word;
        private final boolean isGood;

        Deed(String word, boolean isGood) {
            this.word = word;
            this.isGood = isGood;
        }
    }

    /// One thing that happened.
    record Item(Deed deed, String version, String message) {
        Change.Event event(Resource model) {
            return deed.isGood
                    ? Change.Event.normal(model, deed.word, message)
                    : Change.Event.warning(model, deed.word, message);
        }
    }

    ModelHistory {
        entries = List.copyOf(entries);
    }

    static ModelHistory of(Resource model) {
        return new ModelHistory(model.status().objects("history"));
    }

    /// The number of the last entry.
    long last() {
        return entries.isEmpty() ? 0 : entries.getLast().integer("number");
    }

    ModelHistory with(List<Item> items, Instant now) {
        var all = new ArrayList<>(entries);
        long number = last();
        for (var item : items) {
            all.add(Json.Obj.builder()
                    .put("message", item.message)
                    .put("number", ++number)
                    .put("time", Timestamps.seconds(now))
                    .put("type", item.deed.word)
                    .put("version", item.version)
                    .build());
        }
        return new ModelHistory(all.subList(Math.max(0, all.size() - KEPT), all.size()));
    }

    List<Json.Obj> after(long number) {
        return entries.stream()
                .filter(entry -> entry.integer("number") > number)
                .toList();
    }

    Json.Arr json() {
        return new Json.Arr(List.copyOf(entries));
    }
}
