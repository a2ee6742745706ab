package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/// Events: what happened to an object, for people to read.
public final class Events {

    private static final int MAX_NOTE = 1024;
    private static final int MAX_WORD = 128;

    public static final Kind<Json.Obj> KIND = Kind.namespaced("", "v1", "Event", "events")
            .withShortNames("ev")
            .withRules(new EventRules())
            .withColumns(
                    Column.text("Last Seen", (event, now) -> Json.of(lastSeen(event, now))),
                    Column.path("Type", "type"),
                    Column.path("Reason", "reason"),
                    Column.text("Object", (event, _) -> Json.of(target(event))),
                    Column.path("Subobject", "involvedObject", "fieldPath").wide(),
                    Column.text("Source", (event, _) -> Json.of(source(event))).wide(),
                    Column.text(
                            "Message",
                            (event, _) -> Json.of(event.string("message").strip())),
                    Column.text("First Seen", (event, now) -> Json.of(firstSeen(event, now)))
                            .wide(),
                    Column.text("Count", (event, _) -> Json.of(count(event))).wide(),
                    Column.ofName().wide());

    private Events() {}

    private static final class EventRules implements Rules {

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var event = Field.root(object, errors);
            var namespace = object.string("metadata", "namespace");
            var involved = event.at("involvedObject", "namespace");
            if (!namespaceFits(involved.text(), namespace, event.has("eventTime"))) {
                involved.invalid("does not match event.namespace");
            }
            if (event.has("eventTime")) {
                validateNewStyle(event);
            }
        }

        // Their names are made from names of objects, whose rules differ.
        @Override
        public Names.Rule nameRule() {
            return Names.Rule.PATH_SEGMENT;
        }

        @Override
        public boolean allowsCreateOnUpdate() {
            return true;
        }

        @Override
        public Map<String, Function<Json.Obj, String>> selectableFields() {
            var fields = new LinkedHashMap<String, Function<Json.Obj, String>>();
            for (var name : List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")) {
                fields.put("involvedObject." + name, event -> event.string("involvedObject", name));
            }
            for (var name : List.of("reason", "type", "reportingComponent")) {
                fields.put(name, event -> event.string(name));
            }
            fields.put(
                    "source",
                    event -> firstNonEmpty(event.string("source", "component"), event.string("reportingComponent")));
            return fields;
        }
    }

    private static boolean namespaceFits(String involved, String namespace, boolean newStyle) {
        if (!involved.isEmpty()) {
            return newStyle || involved.equals(namespace);
        }
        return namespace.isEmpty() || namespace.equals("default") || (newStyle && namespace.equals("kube-system"));
    }

    private static void validateNewStyle(Field event) {
        event.at("reportingComponent").required("").matches(Names::qualifiedName);
        event.at("reportingInstance").required("");
        limit(event.at("reportingInstance"), MAX_WORD);
        event.at("action").required("");
        limit(event.at("action"), MAX_WORD);
        event.at("reason").required("");
        limit(event.at("reason"), MAX_WORD);
        limit(event.at("message"), MAX_NOTE);
    }

    private static void limit(Field text, int characters) {
        if (text.text().length() > characters) {
            text.with(Json.of("")).invalid("can have at most " + characters + " characters");
        }
    }

    private static String firstSeen(Json.Obj event, Instant now) {
        return Column.age(firstNonEmpty(event.string("firstTimestamp"), event.string("eventTime")), now);
    }

    private static String lastSeen(Json.Obj event, Instant now) {
        if (event.get("series") instanceof Json.Obj series) {
            return Column.age(series.string("lastObservedTime"), now);
        }
        var last = event.string("lastTimestamp");
        return last.isEmpty() ? firstSeen(event, now) : Column.age(last, now);
    }

    private static long count(Json.Obj event) {
        if (event.get("series") instanceof Json.Obj series) {
            return series.integer("count");
        }
        return Math.max(1, event.integer("count"));
    }

    private static String target(Json.Obj event) {
        var kind = event.string("involvedObject", "kind").toLowerCase(Locale.ROOT);
        var name = event.string("involvedObject", "name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    private static String source(Json.Obj event) {
        var component = firstNonEmpty(event.string("source", "component"), event.string("reportingComponent"));
        var instance = firstNonEmpty(event.string("source", "host"), event.string("reportingInstance"));
        return instance.isEmpty() ? component : component + ", " + instance;
    }

    private static String firstNonEmpty(String one, String other) {
        return one.isEmpty() ? other : one;
    }
}
