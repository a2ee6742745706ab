package dev.towtank.app.lint.standing;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import java.util.Set;

/// Whether anybody applies a file as it is. An error needs somebody who does; without, what a text itself shows is a
/// warning, and what depends on others is only good to know.
public enum Standing {
    /// Somebody named it.
    MEANT,
    /// Something of the repository applies it as it is.
    APPLIED,
    /// Nothing says what becomes of any file.
    KEPT,
    /// It shows how something is done, or is put away or left over, or somebody else completes it.
    SHOWN;

    /// What is wrong with a text wherever it is used.
    private static final Set<Rule> OF_THE_TEXT = Set.of(
            Rule.YAML_SYNTAX,
            Rule.DUPLICATE_KEY,
            Rule.UNRENDERABLE,
            Rule.UNKNOWN_FIELD,
            Rule.SERVER_WARNING,
            Rule.DUPLICATE_OBJECT,
            Rule.MISSING_PARAM,
            Rule.PARAM_TYPE,
            Rule.MISSING_WORKSPACE,
            Rule.WAIT_CONDITION,
            Rule.STAT_FORMAT,
            Rule.SHELL_SYNTAX,
            Rule.SHELL_PORTABILITY,
            Rule.SHELLCHECK,
            Rule.HERE_DOCUMENT,
            Rule.UNREACHABLE_TASK,
            Rule.UNKNOWN_SILENCE);

    public Finding judged(Finding finding) {
        boolean isOfACluster = finding.rule() == Rule.UNSERVED_VERSION;
        if (isOfACluster && this != MEANT && this != APPLIED) {
            return finding.at(Level.INFO); // whatever release it has, it may never see the file
        }
        return switch (this) {
            case MEANT, APPLIED -> finding;
            case KEPT ->
                finding.level() == Level.ERROR || OF_THE_TEXT.contains(finding.rule())
                        ? atMost(finding, Level.WARNING)
                        : finding.at(Level.INFO);
            case SHOWN -> finding.at(Level.INFO);
        };
    }

    private static Finding atMost(Finding finding, Level level) {
        return finding.level().compareTo(level) < 0 ? finding.at(level) : finding;
    }
}
