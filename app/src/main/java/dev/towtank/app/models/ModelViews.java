package dev.towtank.app.models;

import dev.towtank.app.client.TextTable;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Models and versions as text; pure.
public final class ModelViews {

    private static final String NONE = "-";

    private ModelViews() {}

    public static List<String> list(List<Resource> models) {
        if (models.isEmpty()) {
            return List.of("There are no models here. The task publish-model, in examples/model-tasks, makes one.");
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NAME", "CURRENT", "PREVIOUS", "LATEST", "VERSIONS", "READY"));
        for (var model : models) {
            var status = model.status();
            rows.add(List.of(
                    model.name(),
                    or(status.string("current")),
                    or(status.string("previous")),
                    or(status.string("latest")),
                    Long.toString(status.integer("versions")),
                    status.objects("conditions").stream()
                            .map(condition -> condition.string("status"))
                            .findFirst()
                            .orElse("Unknown")));
        }
        return new TextTable().lines(rows);
    }

    public static List<String> history(List<Resource> versions) {
        var metrics = names(versions, "metrics");
        var rows = new ArrayList<List<String>>();
        var head = new ArrayList<>(List.of("VERSION", "STATE", "GATE", "PUBLISHED", "PROMOTED"));
        metrics.forEach(name -> head.add(name.toUpperCase(Locale.ROOT)));
        rows.add(head);
        for (var version : versions) {
            var row = new ArrayList<>(List.of(
                    version.spec().string("version"),
                    or(version.status().string("state")),
                    or(version.spec().string("gate", "verdict")),
                    or(version.metadata().string("creationTimestamp")),
                    or(version.status().string("promotedAt"))));
            metrics.forEach(name -> row.add(number(version, name)));
            rows.add(row);
        }
        return new TextTable().lines(rows);
    }

    public static List<String> describe(Resource model, List<Resource> versions) {
        var lines = new ArrayList<String>();
        var status = model.status();
        var service = model.spec().string("inferenceService");
        lines.add("Name:       " + model.name());
        lines.add("Storage:    " + model.spec().string("storageUri"));
        lines.add("Served by:  " + (service.isEmpty() ? model.name() : service));
        lines.add("Current:    " + or(status.string("current")));
        lines.add("Previous:   " + or(status.string("previous")));
        if (model.spec().object("contract").integer("features") > 0) {
            lines.add("Features:   " + model.spec().object("contract").integer("features"));
        }
        model.spec().array("rules").strings().forEach(rule -> lines.add("Rule:       " + rule));
        for (var condition : status.objects("conditions")) {
            lines.add("Ready:      " + condition.string("status") + ", " + condition.string("message"));
        }
        versions.stream()
                .filter(version -> version.spec().string("version").equals(status.string("current")))
                .findFirst()
                .ifPresent(version -> lines.addAll(origin(version)));
        lines.add("");
        lines.addAll(history(versions));
        return lines;
    }

    private static List<String> origin(Resource version) {
        var lines = new ArrayList<String>();
        version.spec()
                .object("source")
                .forEach((name, value) -> lines.add("Source:     " + name + " " + value.display()));
        version.spec()
                .object("environment")
                .forEach((name, value) -> lines.add("Library:    " + name + " " + value.display()));
        return lines;
    }

    public static List<String> diff(Resource one, Resource other) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("", one.spec().string("version"), other.spec().string("version"), "CHANGE"));
        rows.add(List.of(
                "state", or(one.status().string("state")), or(other.status().string("state")), ""));
        for (var name : names(List.of(one, other), "metrics")) {
            rows.add(List.of(name, number(one, name), number(other, name), change(one, other, name)));
        }
        for (var part : List.of("environment", "source")) {
            for (var name : names(List.of(one, other), part)) {
                var left = shown(one.spec().object(part).get(name));
                var right = shown(other.spec().object(part).get(name));
                if (!left.equals(right)) {
                    rows.add(List.of(part + " " + name, left, right, ""));
                }
            }
        }
        return new TextTable().lines(rows);
    }

    private static String change(Resource one, Resource other, String name) {
        var left = value(one, name);
        var right = value(other, name);
        if (left == null || right == null) {
            return NONE;
        }
        var difference = new BigDecimal(right.display()).subtract(new BigDecimal(left.display()));
        return (difference.signum() > 0 ? "+" : "")
                + difference.round(new MathContext(4)).toPlainString();
    }

    public static List<String> gate(Resource version) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("STATE", "CHECK", "MESSAGE"));
        for (var check : version.spec().objects("gate", "checks")) {
            rows.add(List.of(check.string("state"), check.string("name"), check.string("message")));
        }
        return new TextTable().lines(rows);
    }

    private static SortedSet<String> names(List<Resource> versions, String part) {
        var names = new TreeSet<String>();
        versions.forEach(version -> names.addAll(version.spec().object(part).keys()));
        return names;
    }

    private static @Nullable Json value(Resource version, String metric) {
        return version.spec().object("metrics").get(metric);
    }

    private static String number(Resource version, String metric) {
        var value = value(version, metric);
        return shown(value);
    }

    private static String shown(@Nullable Json value) {
        return value == null ? NONE : value.display();
    }

    private static String or(String text) {
        return text.isEmpty() ? NONE : text;
    }
}
