package dev.towtank.app.command;

import dev.towtank.app.client.TextTable;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.controllers.triggers.source.EventsEndpoint;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows what became of the events that listeners have got.
@Command(
        name = "events",
        description = {
            "Shows the last events that EventListeners have got, and what each trigger did with them, or why not.",
            "They are kept in memory: 100 for each listener, until the server ends."
        },
        sortOptions = false)
final class EventsCommand implements Callable<Integer> {

    enum Format {
        TABLE,
        JSON
    }

    private final Surroundings surroundings;

    @Parameters(arity = "0..1", paramLabel = "LISTENER", description = "Only of this EventListener.")
    private @Nullable String listener;

    @Mixin
    private final ServerOption server = new ServerOption();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Of all namespaces.")
    private boolean all;

    @Option(names = "--refused", description = "Only what a trigger did not take.")
    private boolean refused;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table or json (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TABLE;

    EventsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try (var client = server.connect(surroundings)) {
            var query = all ? "" : "?namespace=" + URLEncoder.encode(server.namespace(client), StandardCharsets.UTF_8);
            var items = client.get(EventsEndpoint.PATH + query).objects("items").stream()
                    .filter(item ->
                            listener == null || item.string("eventListener").equals(listener))
                    .map(this::narrowed)
                    .filter(item -> item.array("triggers").size() > 0 || !refused)
                    .toList();
            surroundings.text().print(format == Format.JSON ? json(items) : table(items));
            return ExitCode.OK;
        }
    }

    private Json.Obj narrowed(Json.Obj item) {
        var triggers = item.objects("triggers").stream()
                .filter(trigger -> !refused || !trigger.flag("accepted"))
                .<Json>map(trigger -> trigger)
                .toList();
        return item.with("triggers", new Json.Arr(triggers));
    }

    private static String json(List<Json.Obj> items) {
        return JsonText.write(Json.Obj.of("items", new Json.Arr(List.<Json>copyOf(items)))) + "\n";
    }

    private String table(List<Json.Obj> items) {
        if (items.isEmpty()) {
            return "No event has come yet.\n";
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("TIME", "LISTENER", "EVENT", "TRIGGER", "WHAT CAME OF IT"));
        for (var item : items) {
            var name = (all ? item.string("namespace") + "/" : "") + item.string("eventListener");
            var triggers = item.objects("triggers");
            if (triggers.isEmpty()) {
                rows.add(List.of(item.string("time"), name, kind(item), "-", "no trigger is there for it"));
            }
            for (var trigger : triggers) {
                rows.add(List.of(item.string("time"), name, kind(item), trigger.string("trigger"), outcome(trigger)));
            }
        }
        return new TextTable()
                        .lines(rows.stream()
                                .map(row -> row.stream().map(TextTable::cell).toList())
                                .toList())
                        .stream()
                        .map(line -> line + "\n")
                        .collect(Collectors.joining());
    }

    private static String kind(Json.Obj item) {
        var source = item.string("source");
        return source.isEmpty() ? "-" : source;
    }

    private static String outcome(Json.Obj trigger) {
        var made = String.join(", ", trigger.array("resources").strings());
        if (trigger.flag("accepted")) {
            return made.isEmpty() ? "nothing to make" : "made " + made;
        }
        var why = "refused: " + trigger.string("message");
        return made.isEmpty() ? why : "made " + made + ", then " + why;
    }
}
