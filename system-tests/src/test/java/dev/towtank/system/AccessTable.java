package dev.towtank.system;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Who may do what with which Secrets, asked of the server in one go.
///
/// @param kubectl of somebody who may ask about others
/// @param names what the words of a table stand for
record AccessTable(Kubectl kubectl, Map<String, String> names) {

    private static final String ACCOUNT = "system:serviceaccount:";

    private record Cell(String who, String verb, String secret, String namespace) {}

    /// The cells that are not as a table says.
    ///
    /// @param table lines of users, verbs, Secrets (`*` is all), namespaces, and `yes` or `no`; with `|` between
    List<String> wrong(String table) {
        var cells = new ArrayList<Cell>();
        var expected = new ArrayList<String>();
        for (var line : table.lines().toList()) {
            var parts = line.split("\\|", -1);
            for (var cell : cells(parts)) {
                cells.add(cell);
                expected.add(parts[4].strip().equals("yes") ? "true" : "false");
            }
        }
        var told = kubectl.withInput(
                        cells.stream().map(this::review).collect(Collectors.joining()),
                        "create",
                        "-f",
                        "-",
                        "-o",
                        "jsonpath={.status.allowed}{\"\\n\"}")
                .lines()
                .toList();
        var wrong = new ArrayList<String>();
        for (int i = 0; i < cells.size(); i++) {
            if (!told.get(i).equals(expected.get(i))) {
                wrong.add(cells.get(i) + " is " + told.get(i));
            }
        }
        return wrong;
    }

    private static List<Cell> cells(String[] parts) {
        var cells = new ArrayList<Cell>();
        for (var who : words(parts[0])) {
            for (var verb : words(parts[1])) {
                for (var secret : words(parts[2])) {
                    for (var namespace : words(parts[3])) {
                        cells.add(new Cell(who, verb, secret, namespace));
                    }
                }
            }
        }
        return cells;
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+"));
    }

    private String named(String word) {
        return names.getOrDefault(word, word);
    }

    private String review(Cell cell) {
        var user = named(cell.who);
        var groups = user.startsWith(ACCOUNT)
                ? "system:authenticated, \"system:serviceaccounts\", \"system:serviceaccounts:" + user.split(":", -1)[2]
                        + "\""
                : "system:authenticated, \"system:masters\"";
        var secret = cell.secret.equals("*") ? "" : named(cell.secret);
        return """
                ---
                apiVersion: authorization.k8s.io/v1
                kind: SubjectAccessReview
                spec:
                  user: "%s"
                  groups: [%s]
                  resourceAttributes: {verb: %s, resource: secrets, namespace: %s, name: "%s"}
                """.formatted(user, groups, cell.verb, named(cell.namespace), secret);
    }
}
