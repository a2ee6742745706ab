package dev.towtank.app.client;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The tables that a server makes of its objects, as lines. Rows that come later keep to the columns of the
/// first.
final class TableView {
    private final ResourceType type;
    private final GetView.Options options;
    private final boolean withKind;
    private final TextTable text = new TextTable();
    private final List<List<String>> waiting = new ArrayList<>();
    private List<Integer> columns = List.of();
    private boolean begun;

    /// @param withKind names are shown as `kind/name`
    TableView(ResourceType type, GetView.Options options, boolean withKind) {
        this.type = type;
        this.options = options;
        this.withKind = withKind;
    }

    /// @param table of the server; where it has none, the object itself
    void add(Json.Obj table) {
        if (!table.string("kind").equals("Table")) {
            throw new ClientProblem("The server does not show " + type.plural() + " as a table. Use -o yaml.");
        }
        if (!begun && !table.objects("rows").isEmpty()) {
            begin(table.objects("columnDefinitions"));
        }
        for (var row : table.objects("rows")) {
            waiting.add(row(row));
        }
    }

    /// What was added since the last call.
    List<String> lines() {
        var lines = text.lines(waiting);
        waiting.clear();
        return lines;
    }

    private void begin(List<Json.Obj> definitions) {
        begun = true;
        var shown = new ArrayList<Integer>();
        var header = new ArrayList<String>();
        if (options.all() && type.namespaced()) {
            header.add("NAMESPACE");
        }
        for (int i = 0; i < definitions.size(); i++) {
            if (definitions.get(i).integer("priority") == 0 || options.format() == GetView.Format.WIDE) {
                shown.add(i);
                header.add(TextTable.cell(definitions.get(i).string("name").toUpperCase(Locale.ROOT)));
            }
        }
        columns = List.copyOf(shown);
        if (options.headers()) {
            waiting.add(header);
        }
    }

    private List<String> row(Json.Obj row) {
        var cells = row.array("cells");
        var line = new ArrayList<String>();
        if (options.all() && type.namespaced()) {
            line.add(row.string("object", "metadata", "namespace"));
        }
        for (int column : columns) {
            var value = column < cells.size() ? value(cells.get(column)) : "";
            line.add(withKind && column == columns.getFirst() ? type.prefix() + "/" + value : value);
        }
        return line;
    }

    private static String value(Json cell) {
        return switch (cell) {
            case Json.Str(var text) -> TextTable.cell(text);
            case Json.Null _ -> "<none>";
            case Json.Bool _, Json.Int _, Json.Real _, Json.Arr _, Json.Obj _ -> TextTable.cell(cell.toString());
        };
    }
}
