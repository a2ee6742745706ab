package dev.towtank.app.lint.finding;

import java.util.Comparator;
import java.util.Optional;

/// One thing that is wrong.
///
/// @param message what is wrong
/// @param advice what to write instead; may be empty
public record Finding(Rule rule, Level level, SourcePlace place, String message, String advice, Optional<Edit> fix) {

    public static final Comparator<Finding> ORDER = Comparator.comparing((Finding finding) -> finding.place.file())
            .thenComparingInt(finding -> finding.place.line())
            .thenComparingInt(finding -> finding.place.column())
            .thenComparing(finding -> finding.rule)
            .thenComparing(Finding::message);

    public static Finding of(Rule rule, SourcePlace place, String message, String advice) {
        return new Finding(rule, rule.level(), place, message, advice, Optional.empty());
    }

    public Finding with(Edit edit) {
        return new Finding(rule, level, place, message, advice, Optional.of(edit));
    }

    public Finding withoutFix() {
        return new Finding(rule, level, place, message, advice, Optional.empty());
    }

    public Finding at(Level other) {
        return new Finding(rule, other, place, message, advice, fix);
    }

    public boolean isSilenced() {
        return place.silenced().contains(rule.id());
    }
}
