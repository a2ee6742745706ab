package dev.towtank.app.client;

import dev.towtank.app.client.Wanted.Part;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Shows objects: in the server's columns, or whole.
public final class GetView {
    private static final int PAGE = 500;

    public enum Format {
        TABLE,
        WIDE,
        YAML,
        JSON,
        NAME
    }

    /// @param namespace empty for all of them
    /// @param labels a selector, or empty
    /// @param fields a selector, or empty
    public record Options(String namespace, Format format, String labels, String fields, boolean headers) {
        boolean all() {
            return namespace.isEmpty();
        }
    }

    private final ApiClient client;
    private final Options options;
    private final PrintStream out;
    private final PrintStream err;
    private final Function<StatusError, String> complaint;

    public GetView(ApiClient client, Options options, PrintStream out, PrintStream err) {
        this(client, options, out, err, problem -> "towtank: " + words(problem));
    }

    /// @param complaint what to say of a refusal
    GetView(
            ApiClient client,
            Options options,
            PrintStream out,
            PrintStream err,
            Function<StatusError, String> complaint) {
        this.client = client;
        this.options = options;
        this.out = out;
        this.err = err;
        this.complaint = complaint;
    }

    /// @param words as after `get`; without any, the kinds that there are
    /// @return whether all that was asked for is there
    public boolean show(List<String> words) {
        var discovery = Discovery.of(client);
        if (words.isEmpty()) {
            showKinds(discovery);
            return true;
        }
        var wanted = checked(Wanted.parse(words, discovery));
        var problems = new ArrayList<StatusError>();
        switch (options.format) {
            case TABLE, WIDE -> showTables(wanted, problems);
            case YAML, JSON, NAME -> showWhole(wanted, problems);
        }
        problems.forEach(problem -> err.println(complaint.apply(problem)));
        return problems.isEmpty();
    }

    /// What a refusal says, with its reason.
    public static String words(StatusError problem) {
        return "the server says (" + problem.reason().wire() + "): " + problem.text();
    }

    private Wanted checked(Wanted wanted) {
        var named = wanted.parts().stream().anyMatch(part -> !part.names().isEmpty());
        if (named && options.all()) {
            throw new ClientProblem("A name can be looked for in one namespace only: leave out -A, or the name.");
        }
        if (named && !(options.labels + options.fields).isEmpty()) {
            throw new ClientProblem("Give either names or a selector, not both.");
        }
        return wanted;
    }

    private void showKinds(Discovery discovery) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NAME", "SHORT NAMES", "API VERSION", "NAMESPACED", "KIND"));
        for (var type : discovery.types()) {
            if (type.verbs().contains("list")) {
                rows.add(List.of(
                        type.plural(),
                        String.join(",", type.shortNames()),
                        type.apiVersion(),
                        type.namespaced() ? "yes" : "no",
                        type.kind()));
            }
        }
        new TextTable().lines(rows).forEach(out::println);
    }

    private void showTables(Wanted wanted, List<StatusError> problems) {
        boolean first = true;
        for (var part : wanted.parts()) {
            var view = new TableView(part.type(), options, wanted.severalKinds());
            var lines = new ArrayList<String>();
            for (var table : tables(part, problems)) {
                view.add(table);
            }
            lines.addAll(view.lines());
            if (!lines.isEmpty() && !first) {
                out.println();
            }
            first = first && lines.isEmpty();
            lines.forEach(out::println);
        }
        if (first && problems.isEmpty()) {
            err.println(nothing());
        }
    }

    private String nothing() {
        return "No objects found" + (options.all() ? "." : " in namespace " + options.namespace + ".");
    }

    private List<Json.Obj> tables(Part part, List<StatusError> problems) {
        return part.names().isEmpty() ? pages(part.type(), ApiClient.TABLE) : named(part, ApiClient.TABLE, problems);
    }

    private List<Json.Obj> named(Part part, String accept, List<StatusError> problems) {
        var found = new ArrayList<Json.Obj>();
        for (var name : part.names()) {
            try {
                found.add(client.get(part.type().path(options.namespace, name), accept));
            } catch (StatusError e) {
                problems.add(e);
            }
        }
        return found;
    }

    private List<Json.Obj> pages(ResourceType type, String accept) {
        var pages = new ArrayList<Json.Obj>();
        var more = "";
        do {
            var page = client.get(
                    type.path(options.namespace) + query() + "&limit=" + PAGE + parameter("continue", more), accept);
            pages.add(page);
            more = page.string("metadata", "continue");
        } while (!more.isEmpty());
        return pages;
    }

    private String query() {
        return "?" + parameter("labelSelector", options.labels) + parameter("fieldSelector", options.fields);
    }

    private static String parameter(String name, String value) {
        return value.isEmpty() ? "" : "&" + name + "=" + ResourceType.segment(value);
    }

    private void showWhole(Wanted wanted, List<StatusError> problems) {
        var objects = new ArrayList<Json.Obj>();
        for (var part : wanted.parts()) {
            var found = part.names().isEmpty()
                    ? pages(part.type(), ApiClient.JSON).stream()
                            .flatMap(page -> page.objects("items").stream())
                            .toList()
                    : named(part, ApiClient.JSON, problems);
            found.forEach(object -> objects.add(typed(part.type(), object)));
            if (options.format == Format.NAME) {
                found.forEach(object -> out.println(name(part.type(), object)));
            }
        }
        boolean single =
                wanted.parts().size() == 1 && wanted.parts().getFirst().names().size() == 1;
        if (options.format == Format.NAME || (single && objects.isEmpty())) {
            return;
        }
        print(single ? objects.getFirst() : list(objects));
    }

    private static String name(ResourceType type, Json.Obj object) {
        return type.prefix() + "/" + object.string("metadata", "name");
    }

    private static Json.Obj list(List<Json.Obj> objects) {
        return Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "List")
                .put("metadata", Json.Obj.of("resourceVersion", Json.of("")))
                .put("items", new Json.Arr(List.copyOf(objects)))
                .build();
    }

    private void print(Json.Obj object) {
        if (options.format == Format.JSON) {
            out.println(JsonText.pretty(object));
        } else {
            out.print(YamlText.write(object));
            out.flush();
        }
    }

    /// Items of lists come without their type. Who manages which field is noise here, as it is for kubectl.
    private static Json.Obj typed(ResourceType type, Json.Obj object) {
        var builder = Json.Obj.builder().put("apiVersion", type.apiVersion()).put("kind", type.kind());
        object.without(List.of("metadata", "managedFields")).forEach(builder::put);
        return builder.build();
    }

    /// Shows objects of one kind, and then every change of them, for ever.
    public void watch(List<String> words) {
        var wanted = checked(Wanted.parse(words, Discovery.of(client)));
        if (wanted.severalKinds() || wanted.parts().getFirst().names().size() > 1) {
            var kinds =
                    wanted.parts().stream().map(part -> part.type().plural()).collect(Collectors.joining(", "));
            throw new ClientProblem("Only one kind, or one object, can be watched at a time, not " + kinds + ".");
        }
        var part = wanted.parts().getFirst();
        boolean tables = options.format == Format.TABLE || options.format == Format.WIDE;
        var accept = tables ? ApiClient.TABLE : ApiClient.JSON;
        var only = part.names().isEmpty()
                ? ""
                : parameter("fieldSelector", "metadata.name=" + part.names().getFirst());
        var path = part.type().path(options.namespace) + query() + only;
        var view = new TableView(part.type(), options, false);
        while (true) {
            var list = client.get(path, accept);
            var now = tables ? List.of(list) : list.objects("items");
            now.forEach(each -> showOne(part.type(), view, each));
            try {
                new Watching(client).follow(path, accept, list.string("metadata", "resourceVersion"), event -> {
                    showOne(part.type(), view, event.object());
                    return true;
                });
            } catch (StatusError e) {
                if (!e.is(StatusError.Reason.EXPIRED)) {
                    throw e;
                }
            }
        }
    }

    private void showOne(ResourceType type, TableView view, Json.Obj object) {
        switch (options.format) {
            case TABLE, WIDE -> {
                view.add(object);
                view.lines().forEach(out::println);
            }
            case NAME -> out.println(name(type, object));
            case YAML -> {
                out.println("---");
                print(typed(type, object));
            }
            case JSON -> out.println(JsonText.write(typed(type, object)));
        }
        out.flush();
    }
}
