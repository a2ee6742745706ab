package dev.towtank.app.lint.source;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// What a file is there for decides how sure a finding in it is: nobody applies what is put away, and what somebody
/// fills in is not what a server sees.
public final class Certainty {

    /// What is put away, releases of an operator, which are as they were, and what shows how something went wrong.
    private static final Pattern OUT_OF_USE = Pattern.compile(
            "(?i)(^|[/\\\\])([^/\\\\]*[._-])?(archived?|deprecated|obsolete|old|unused|disabled|attic|graveyard|retired|removed)[/\\\\]"
                    + "|[-_.](disabled|deprecated|unused|obsolete|old|bak|orig)\\.(ya?ml|json)$"
                    + "|(^|[/\\\\])(olm-catalog|issues?|snapshots?|versions[/\\\\]v?\\d[^/\\\\]*)[/\\\\]|(^|[/\\\\])bundles?[/\\\\](.*[/\\\\])?v?\\d+\\.\\d+");

    /// What is told of values, or of how they are put together: with other values there may be nothing to tell.
    private static final Set<Rule> OF_VALUES = Set.of(
            Rule.YAML_SYNTAX,
            Rule.NO_KIND,
            Rule.UNKNOWN_KIND,
            Rule.WRONG_TYPE,
            Rule.REFUSED,
            Rule.SHELL_SYNTAX,
            Rule.SHELL_PORTABILITY,
            Rule.HERE_DOCUMENT,
            Rule.PYTHON_SYNTAX,
            Rule.UNDEFINED_SECRET,
            Rule.UNDEFINED_CONFIGMAP,
            Rule.UNDEFINED_SERVICEACCOUNT,
            Rule.UNDEFINED_CLAIM,
            Rule.UNDEFINED_STORE,
            Rule.UNMATCHED_SELECTOR,
            Rule.UNMATCHED_PORT);

    private static final Set<Rule> OF_WORDS = Set.of(Rule.YAML_SYNTAX, Rule.UNKNOWN_KIND);

    private final Set<String> toBeFilledIn;
    private final List<Path> named;
    private final Programs programs = new Programs();
    private final Set<Path> folders = new HashSet<>();

    /// @param toBeFilledIn files with words in the place of values
    /// @param named the files and folders that somebody named, and means whatever they are called
    public Certainty(Set<String> toBeFilledIn, List<String> named) {
        this.named = named.stream().map(each -> Path.of(each).normalize()).toList();
        this.toBeFilledIn = Set.copyOf(toBeFilledIn);
        for (var file : toBeFilledIn) {
            for (var folder = Path.of(file).getParent();
                    folder != null && folders.add(folder);
                    folder = folder.getParent()) {}
        }
    }

    /// A finding, at the level that it has where it was made.
    public Finding judged(Finding finding) {
        if (finding.level() == Level.INFO || isUnsure(finding)) {
            return finding.at(Level.INFO);
        }
        return programs.read(finding.place().file()) ? finding.at(Level.INFO) : finding;
    }

    private boolean isUnsure(Finding finding) {
        var file = finding.place().file();
        return OUT_OF_USE.matcher(inside(file)).find()
                || (OF_WORDS.contains(finding.rule())
                        && finding.place().excerpt().contains("${"))
                || (OF_VALUES.contains(finding.rule())
                        && (toBeFilledIn.contains(file)
                                || Placeholder.isForATool(finding.place().excerpt())))
                || (finding.rule() == Rule.UNRENDERABLE && isAboveATemplate(Path.of(file)));
    }

    /// A file as it is called below what was named.
    private String inside(String file) {
        var path = Path.of(file).normalize();
        return named.stream()
                .filter(path::startsWith)
                .findFirst()
                .map(folder -> folder.relativize(path).toString())
                .orElse(file);
    }

    /// Whether something that a chart or a kustomization is made of is filled in first.
    private boolean isAboveATemplate(Path file) {
        return file.getParent() != null && folders.contains(file.getParent());
    }
}
