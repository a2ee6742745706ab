package dev.towtank.app.lint.standing;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import java.util.HashSet;
import java.util.Set;

/// What is told once in a file need not be told again: the same warning of something else, the same field that nobody
/// knows. Whoever names a file is told all of it.
public final class Repeats {

    private final Named named;
    private final Set<String> told = new HashSet<>();

    public Repeats(Named named) {
        this.named = named;
    }

    /// Findings come in their order.
    public Finding judged(Finding finding) {
        boolean isTold = finding.level() == Level.WARNING || finding.rule() == Rule.UNKNOWN_FIELD;
        return isTold
                        && finding.level() != Level.INFO
                        && !named.hasNear(finding.place().file())
                        && !told.add(where(finding) + " " + finding.rule() + " " + gist(finding))
                ? finding.at(Level.INFO)
                : finding;
    }

    /// What cannot be built, nothing around it can.
    private static String where(Finding finding) {
        return finding.rule() == Rule.UNRENDERABLE ? "" : finding.place().file();
    }

    private static String gist(Finding finding) {
        var words = finding.rule() == Rule.UNKNOWN_FIELD
                ? finding.message().replaceFirst(".*\"(?:[^\"]*\\.)?([^\".]+)\".*", "$1")
                : finding.message();
        return finding.rule() == Rule.UNRENDERABLE
                ? words.replaceFirst("^with \\S+: ", "")
                : words.replaceAll("\"[^\"]*\"", "").replaceAll("\\d+", "");
    }
}
