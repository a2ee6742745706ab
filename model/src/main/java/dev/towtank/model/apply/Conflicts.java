package dev.towtank.model.apply;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.apply.Owners.Owner;
import java.util.ArrayList;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// What an apply would change although others own it, by owner.
record Conflicts(SortedMap<Owner, FieldSet> fields) {

    /// @param comparisons what the apply changes, by version
    static Conflicts of(Owners owners, Owner applier, Function<String, Comparison> comparisons) {
        var found = new TreeMap<Owner, FieldSet>();
        owners.forEach((other, entry) -> {
            if (!other.equals(applier)) {
                var written = comparisons.apply(entry.apiVersion()).written();
                var both = entry.fields().intersection(written);
                if (!both.isEmpty()) {
                    found.put(other, both);
                }
            }
        });
        return new Conflicts(found);
    }

    boolean isEmpty() {
        return fields.isEmpty();
    }

    Conflicts without(FieldSet allowed) {
        var rest = new TreeMap<Owner, FieldSet>();
        fields.forEach((owner, set) -> {
            var left = set.difference(allowed);
            if (!left.isEmpty()) {
                rest.put(owner, left);
            }
        });
        return new Conflicts(rest);
    }

    /// In the words of Kubernetes.
    StatusError error() {
        var causes = new ArrayList<Json>();
        var lines = new ArrayList<String>();
        var single = new ArrayList<String>();
        fields.forEach((owner, set) -> {
            lines.add("conflicts with " + owner.described() + ":");
            set.paths().forEach(path -> {
                lines.add("- " + path);
                single.add("conflict with " + owner.described() + ": " + path);
                causes.add(Json.Obj.of(
                        "reason", Json.of("FieldManagerConflict"),
                        "message", Json.of("conflict with " + owner.described()),
                        "field", Json.of(path)));
            });
        });
        var text = single.size() == 1
                ? "Apply failed with 1 conflict: " + single.getFirst()
                : "Apply failed with " + single.size() + " conflicts: " + String.join("\n", lines);
        return new StatusError(StatusError.Reason.CONFLICT, text, Json.Obj.of("causes", new Json.Arr(causes)));
    }
}
