package dev.towtank.app.client;

import dev.towtank.app.run.view.Elapsed;
import dev.towtank.model.Column;
import dev.towtank.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The description of one object, as it grows: facts, each with its name, and sections of them.
final class Page {
    private static final int TENTHS_UNTIL = 10;

    private final Instant now;
    private final StringBuilder text = new StringBuilder();
    private final List<List<String>> facts = new ArrayList<>();
    private String indent = "";

    Page(Instant now) {
        this.now = now;
    }

    /// A fact; one that says nothing is left out.
    Page fact(String name, String value) {
        if (!value.isEmpty()) {
            var lines = value.lines().map(TextTable::cell).toList();
            for (int i = 0; i < lines.size(); i++) {
                facts.add(List.of(i == 0 ? name + ":" : "", lines.get(i)));
            }
        }
        return this;
    }

    Page section(String title) {
        flush();
        text.append('\n').append(title).append('\n');
        indent = "  ";
        return this;
    }

    Page table(List<List<String>> rows) {
        flush();
        var clean = rows.stream()
                .map(row -> row.stream().map(TextTable::cell).toList())
                .toList();
        new TextTable()
                .lines(clean)
                .forEach(line -> text.append(indent).append(line).append('\n'));
        return this;
    }

    Page lines(String block) {
        flush();
        block.lines().forEach(line -> text.append(indent).append(safe(line)).append('\n'));
        return this;
    }

    private static String safe(String line) {
        return line.codePoints()
                .map(c -> Character.isISOControl(c) && c != '\t' ? '^' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /// What every object has.
    Page head(Json.Obj object) {
        fact("Name", object.string("metadata", "name"));
        fact("Namespace", object.string("metadata", "namespace"));
        fact("Kind", object.string("kind") + " (" + object.string("apiVersion") + ")");
        fact("Labels", pairs(object.stringMap("metadata", "labels")));
        fact("Annotations", pairs(object.stringMap("metadata", "annotations")));
        fact("Created", moment(object.string("metadata", "creationTimestamp")));
        fact("Deleted", moment(object.string("metadata", "deletionTimestamp")));
        fact(
                "Controlled by",
                object.objects("metadata", "ownerReferences").stream()
                        .filter(owner -> owner.flag("controller"))
                        .map(owner -> owner.string("kind") + "/" + owner.string("name"))
                        .collect(Collectors.joining(", ")));
        return this;
    }

    static String pairs(Map<String, String> map) {
        return map.entrySet().stream()
                .filter(pair -> !pair.getKey().equals("kubectl.kubernetes.io/last-applied-configuration"))
                .map(pair -> TextTable.cell(pair.getKey() + "=" + pair.getValue()))
                .collect(Collectors.joining("\n"));
    }

    /// A time, and how long ago that was.
    String moment(String timestamp) {
        return timestamp.isEmpty()
                ? ""
                : timestamp.replaceFirst("\\.\\d+", "") + " (" + Column.age(timestamp, now) + " ago)";
    }

    /// From one time to another, or until now. Kubernetes counts whole seconds; of what was seen more exactly, tenths
    /// are
    /// told.
    String between(String from, String to) {
        try {
            if (from.isEmpty()) {
                return "";
            }
            var time = Duration.between(Instant.parse(from), to.isEmpty() ? now : Instant.parse(to));
            boolean isExact = !to.isEmpty() && time.toNanosPart() != 0 && time.toSeconds() < TENTHS_UNTIL;
            return isExact ? Elapsed.text(time) : Column.humanDuration(time);
        } catch (DateTimeParseException e) {
            return "";
        }
    }

    Page events(List<Json.Obj> events) {
        section("Events");
        if (events.isEmpty()) {
            return lines("none");
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("TYPE", "REASON", "AGE", "FROM", "MESSAGE"));
        for (var event : events) {
            var from = event.string("source", "component");
            long count = event.integerOr(1, "count");
            rows.add(List.of(
                    event.string("type"),
                    event.string("reason"),
                    Column.age(when(event), now) + (count > 1 ? " (x" + count + ")" : ""),
                    from.isEmpty() ? event.string("reportingComponent") : from,
                    event.string("message").strip()));
        }
        return table(rows);
    }

    static String when(Json.Obj event) {
        for (var field : List.of("lastTimestamp", "eventTime", "firstTimestamp")) {
            if (!event.string(field).isEmpty()) {
                return event.string(field);
            }
        }
        return event.string("metadata", "creationTimestamp");
    }

    private void flush() {
        if (!facts.isEmpty()) {
            new TextTable()
                    .lines(facts)
                    .forEach(line -> text.append(indent).append(line).append('\n'));
            facts.clear();
        }
    }

    @Override
    public String toString() {
        flush();
        return text.toString();
    }
}
