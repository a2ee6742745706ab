package dev.towtank.app.lint.source;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import java.util.Set;
import java.util.regex.Pattern;

/// Files that show how something is written: what they speak of is with whoever tries them, and no version of an image
/// is better than another.
public final class Illustrations {

    private static final Pattern FOLDER = Pattern.compile(
            "(^|[/\\\\])([\\w.-]*docs?|documentation|[\\w.-]*examples?|samples?|tutorials?|demos?|snippets?"
                    + "|_?archived?)[/\\\\]");

    private static final Set<Rule> OF_NO_INTEREST = Set.of(
            Rule.IMAGE_LATEST,
            Rule.UNDEFINED_TASK,
            Rule.UNDEFINED_SECRET,
            Rule.UNDEFINED_CONFIGMAP,
            Rule.UNDEFINED_SERVICEACCOUNT,
            Rule.UNDEFINED_CLAIM,
            Rule.UNDEFINED_STORE,
            Rule.UNDEFINED_KEY,
            Rule.UNMATCHED_SELECTOR,
            Rule.UNREACHABLE_TASK);

    private Illustrations() {}

    /// A finding, at the level that it has where it was made.
    public static Finding judged(Finding finding) {
        boolean isQuiet = OF_NO_INTEREST.contains(finding.rule())
                && finding.level() == Level.WARNING
                && FOLDER.matcher(finding.place().file()).find();
        return isQuiet ? finding.at(Level.INFO) : finding;
    }
}
