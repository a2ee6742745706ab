package dev.towtank.app.doctor;

import dev.towtank.app.doctor.Finding.State;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// All that was found.
///
/// @param root whether the user may install packages without asking
/// @param apt whether there is something to install them with
public record Diagnosis(List<Finding> findings, boolean root, boolean apt) {
    private static final int NAME_WIDTH = 13;
    private static final int INDENT = NAME_WIDTH + 4;

    public Diagnosis {
        findings = List.copyOf(findings);
    }

    /// Whether all is there that nothing works without.
    public boolean healthy() {
        return findings.stream().noneMatch(finding -> finding.state() == State.MISSING);
    }

    /// The command that adds all packages that are not there, or empty.
    public String install() {
        var packages = findings.stream()
                .filter(finding -> finding.state() != State.OK)
                .map(Finding::debianPackage)
                .filter(each -> !each.isEmpty())
                .distinct()
                .toList();
        return packages.isEmpty() ? "" : install(packages);
    }

    private String install(List<String> packages) {
        return (root ? "" : "sudo ") + "apt-get install -y --no-install-recommends " + String.join(" ", packages);
    }

    private String fix(Finding finding) {
        return finding.debianPackage().isEmpty() ? finding.fix() : install(List.of(finding.debianPackage()));
    }

    public Json.Obj json() {
        var list = findings.stream()
                .map(finding -> (Json)
                        finding.json().withOrWithout("fix", finding.state() == State.OK ? null : Json.of(fix(finding))))
                .toList();
        return Json.Obj.builder()
                .put("healthy", healthy())
                .put("findings", new Json.Arr(list))
                .putNonEmpty("install", install())
                .build();
    }

    /// For people.
    ///
    /// @param colour with the colours of a terminal
    /// @param columns how wide it is
    public String text(boolean colour, int columns) {
        var text = new StringBuilder();
        var groups = findings.stream()
                .collect(Collectors.groupingBy(
                        Finding::group, LinkedHashMap::new, Collectors.toCollection(ArrayList::new)));
        groups.forEach((group, members) -> {
            text.append(paint(colour, "1", group)).append('\n');
            members.forEach(finding -> line(text, finding, colour, columns));
            text.append('\n');
        });
        return text.append(verdict(colour)).toString();
    }

    private void line(StringBuilder text, Finding finding, boolean colour, int columns) {
        var mark = switch (finding.state()) {
            case OK -> paint(colour, "32", "✓");
            case ABSENT -> paint(colour, "33", "–");
            case MISSING -> paint(colour, "31", "✗");
        };
        text.append("  ").append(mark).append(' ');
        text.append(("%-" + NAME_WIDTH + "s").formatted(finding.name()))
                .append(wrapped(finding.detail(), columns))
                .append('\n');
        // What comes in packages has one command for all, at the end.
        if (finding.state() != State.OK
                && finding.debianPackage().isEmpty()
                && !finding.fix().isEmpty()) {
            text.repeat(' ', INDENT)
                    .append(paint(colour, "36", wrapped(finding.fix(), columns)))
                    .append('\n');
        }
    }

    /// In the column beside the names; a word that is longer than it stays whole.
    private static String wrapped(String text, int columns) {
        var lines = new StringBuilder();
        int used = INDENT;
        for (var word : text.split(" ", -1)) {
            if (used > INDENT && used + 1 + word.length() > columns) {
                lines.append('\n').repeat(' ', INDENT);
                used = INDENT;
            }
            lines.append(used > INDENT ? " " : "").append(word);
            used += word.length() + (used > INDENT ? 1 : 0);
        }
        return lines.toString();
    }

    private String verdict(boolean colour) {
        long missing = count(State.MISSING);
        long absent = count(State.ABSENT);
        var text = new StringBuilder();
        if (missing > 0) {
            text.append(paint(colour, "31", "Pods cannot run on this machine"))
                    .append(": ")
                    .append(missing == 1 ? "one thing is" : missing + " things are")
                    .append(" missing (✗).");
        } else {
            text.append(paint(colour, "32", "All that is needed is there."));
        }
        if (absent > 0) {
            text.append(absent == 1 ? " One more thing is" : " " + absent + " more things are")
                    .append(" of use, but not needed (–).");
        }
        text.append('\n');
        if (!install().isEmpty()) {
            text.append(apt ? "This adds what comes in packages:\n  " : "Install what Debian installs with:\n  ")
                    .append(paint(colour, "36", install()))
                    .append('\n');
        }
        return text.toString();
    }

    private long count(State state) {
        return findings.stream().filter(finding -> finding.state() == state).count();
    }

    private static String paint(boolean colour, String code, String text) {
        return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
