package dev.towtank.model.apply;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The owners of an object's fields, as `metadata.managedFields` has them. Immutable.
public final class Owners {

    public static final Owners NONE = new Owners(Map.of());

    private static final String MANAGED_FIELDS = "managedFields";

    /// One way in which somebody writes.
    ///
    /// @param apiVersion empty for who applies: an applier is the same whatever version it speaks
    /// @param subresource `status`, `scale`, or empty
    public record Owner(String name, boolean applies, String apiVersion, String subresource)
            implements Comparable<Owner> {

        public String operation() {
            return applies ? "Apply" : "Update";
        }

        /// Upstream orders owners by the JSON text of these fields; the text also shows in no message.
        private String identifier() {
            return Json.Obj.builder()
                    .putNonEmpty("manager", name)
                    .put("operation", operation())
                    .putNonEmpty("apiVersion", apiVersion)
                    .putNonEmpty("subresource", subresource)
                    .build()
                    .toString();
        }

        @Override
        public int compareTo(Owner other) {
            return identifier().compareTo(other.identifier());
        }

        /// As in the message of a conflict.
        String described() {
            var text = Json.of(name) + (subresource.isEmpty() ? "" : " with subresource " + Json.of(subresource));
            return applies ? text : text + " using " + apiVersion;
        }
    }

    /// @param time when the owner last changed something, as a timestamp; empty where it is not known
    record Entry(FieldSet fields, String apiVersion, String time) {
        private static final Entry NONE = new Entry(FieldSet.EMPTY, "", "");

        Entry with(FieldSet changed) {
            return new Entry(changed, apiVersion, time);
        }
    }

    private final Map<Owner, Entry> entries;

    private Owners(Map<Owner, Entry> entries) {
        this.entries = entries;
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /// What an owner has; nothing where it is none of them.
    Entry entry(Owner owner) {
        return entries.getOrDefault(owner, Entry.NONE);
    }

    void forEach(BiConsumer<Owner, Entry> action) {
        entries.forEach(action);
    }

    /// An owner of nothing is none.
    Owners with(Owner owner, Entry entry) {
        var changed = new LinkedHashMap<>(entries);
        if (entry.fields.isEmpty()) {
            changed.remove(owner);
        } else {
            changed.put(owner, entry);
        }
        return new Owners(changed);
    }

    /// The same owners with other fields; the time of their last change stays.
    Owners map(BiFunction<Owner, Entry, FieldSet> change) {
        var changed = new LinkedHashMap<Owner, Entry>();
        entries.forEach((owner, entry) -> {
            var fields = change.apply(owner, entry);
            if (!fields.isEmpty()) {
                changed.put(owner, entry.with(fields));
            }
        });
        return new Owners(changed);
    }

    /// Updaters beyond a number share one entry, the oldest first: an object that is written under ever
    /// new names must not grow for ever.
    Owners capped(int limit, String shared) {
        if (entries.size() <= limit) {
            return this;
        }
        var updaters = entries.keySet().stream()
                .filter(each -> !each.applies)
                .sorted(Comparator.comparing((Owner each) -> entry(each).time).thenComparing(Comparator.naturalOrder()))
                .toList();
        var changed = new LinkedHashMap<>(entries);
        var firsts = new LinkedHashMap<String, Owner>();
        int count = updaters.size();
        for (int i = 0; i < updaters.size() && count > limit; i++) {
            var oldest = updaters.get(i);
            var first = firsts.putIfAbsent(oldest.apiVersion, oldest);
            if (first != null) {
                merge(changed, first, new Owner(shared, false, oldest.apiVersion, ""), oldest);
                count--;
            }
        }
        return new Owners(changed);
    }

    private static void merge(Map<Owner, Entry> entries, Owner first, Owner bucket, Owner oldest) {
        var entry = entries.remove(oldest);
        var older = entries.containsKey(bucket) ? entries.get(bucket) : entries.remove(first);
        if (entry != null) {
            var fields = older == null ? entry.fields : older.fields.union(entry.fields);
            entries.put(bucket, entry.with(fields));
        }
    }

    /// Appliers first, then by time and name, as Kubernetes lists them.
    public Json.Arr json() {
        var order = Comparator.comparing(
                        (Map.Entry<Owner, Entry> each) -> each.getKey().operation())
                .thenComparing(each -> each.getValue().time)
                .thenComparing(each -> each.getKey().name)
                .thenComparing(each -> each.getValue().apiVersion)
                .thenComparing(each -> each.getKey().subresource);
        var items = new ArrayList<Json>();
        entries.entrySet().stream().sorted(order).forEach(each -> items.add(json(each.getKey(), each.getValue())));
        return new Json.Arr(items);
    }

    private static Json.Obj json(Owner owner, Entry entry) {
        return Json.Obj.builder()
                .putNonEmpty("manager", owner.name)
                .put("operation", owner.operation())
                .putNonEmpty("apiVersion", entry.apiVersion)
                .putNonEmpty("time", entry.time)
                .put("fieldsType", "FieldsV1")
                .put("fieldsV1", entry.fields.json())
                .putNonEmpty("subresource", owner.subresource)
                .build();
    }

    /// The object with these owners in its `metadata.managedFields`.
    public Json.Obj on(Json.Obj object) {
        var path = List.of("metadata", MANAGED_FIELDS);
        return isEmpty() ? object.without(path) : object.with(path, json());
    }

    /// @throws IllegalArgumentException in the words of Kubernetes when the list is none of ours
    public static Owners read(Json.Arr managedFields) {
        var entries = new LinkedHashMap<Owner, Entry>();
        for (int place = 0; place < managedFields.size(); place++) {
            var item = managedFields.get(place) instanceof Json.Obj object ? object : Json.Obj.EMPTY;
            refuseUnreadable(item, place);
            boolean applies = item.string("operation").equals("Apply");
            var apiVersion = item.string("apiVersion");
            var owner =
                    new Owner(item.string("manager"), applies, applies ? "" : apiVersion, item.string("subresource"));
            var fields = FieldSet.read(item.object("fieldsV1"));
            entries.put(owner, new Entry(fields, apiVersion, item.string("time")));
        }
        return entries.isEmpty() ? NONE : new Owners(entries);
    }

    private static void refuseUnreadable(Json.Obj item, int place) {
        var operation = item.string("operation");
        var fieldsType = item.string("fieldsType");
        if (!operation.equals("Apply") && !operation.equals("Update")) {
            throw new IllegalArgumentException("operation must be `Apply` or `Update`");
        }
        if (item.string("apiVersion").isEmpty()) {
            throw new IllegalArgumentException("apiVersion must not be empty");
        }
        if (fieldsType.isEmpty()) {
            throw new IllegalArgumentException("missing fieldsType in managed fields entry " + place);
        }
        if (!fieldsType.equals("FieldsV1")) {
            throw new IllegalArgumentException(
                    "invalid fieldsType " + Json.of(fieldsType) + " in managed fields entry " + place);
        }
    }

    /// The owners of an object as it is stored; none where they cannot be read.
    public static Owners of(Json.Obj object) {
        try {
            return read(object.array("metadata", MANAGED_FIELDS));
        } catch (IllegalArgumentException _) {
            return NONE;
        }
    }

    /// The owners that an update starts from. A client may write them, which clients that know nothing of
    /// them do not mean to; an empty list, or one with an empty entry, forgets all owners.
    static Owners ofUpdate(Json.Obj live, Json.Obj written, boolean subresource) {
        if (subresource) {
            return of(live);
        }
        if (isReset(written.at("metadata", MANAGED_FIELDS))) {
            return NONE;
        }
        var owners = of(written);
        return owners.isEmpty() ? of(live) : owners;
    }

    private static boolean isReset(@Nullable Json managedFields) {
        return managedFields instanceof Json.Arr list
                && (list.size() == 0 || (list.size() == 1 && list.get(0).equals(Json.Obj.EMPTY)));
    }

    static Json.Obj removedFrom(Json.Obj object) {
        return object.without(List.of("metadata", MANAGED_FIELDS));
    }
}
